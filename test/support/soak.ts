/** `npm run test:soak` runs the tests that use this at full scale, which takes minutes; `npm test` at one that shows the same. */
export const IS_SOAK = process.env.SOAK === '1';

export function atScale<Scale>(everyday: Scale, soak: Scale): Scale {
  return IS_SOAK ? soak : everyday;
}

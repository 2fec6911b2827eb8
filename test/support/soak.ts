/**
 * Whether tests run at full scale (`npm run test:soak`), which takes minutes. Otherwise, they run at reduced scale
 * (`npm test`).
 */
export const IS_SOAK = process.env.SOAK === '1';

export function atScale<Scale>(everyday: Scale, soak: Scale): Scale {
  return IS_SOAK ? soak : everyday;
}

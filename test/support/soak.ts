/** Whether tests run at full scale, which takes minutes (`npm run test:soak`), or at reduced scale (`npm test`). */
export const IS_SOAK = process.env.SOAK === '1';

export function atScale<Scale>(everyday: Scale, soak: Scale): Scale {
  return IS_SOAK ? soak : everyday;
}

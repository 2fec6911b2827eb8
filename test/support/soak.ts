/** True for tests at full scale (`npm run test:soak`), which take minutes. */
export const IS_SOAK = process.env.SOAK === '1';

export function atScale<Scale>(everyday: Scale, soak: Scale): Scale {
  return IS_SOAK ? soak : everyday;
}

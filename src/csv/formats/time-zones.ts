export const UTC_NAMES: readonly string[] = ['utc', 'gmt'];

/**
 * Common abbreviations with a single offset. In the IANA time zone database, they have this offset in every zone and
 * every year since 1970. Omits ambiguous abbreviations: `CST` has different offsets in North America, Cuba and China,
 * and `IST` has different offsets in India, Ireland and Israel.
 */
const OFFSETS = {
  '-10:00': 'hst',
  '-09:00': 'akst',
  '-08:00': 'akdt',
  '-07:00': 'mst',
  '-06:00': 'mdt',
  '-05:00': 'est',
  '-04:00': 'edt',
  '+00:00': 'wet',
  '+01:00': 'west cet',
  '+02:00': 'cest eet cat sast',
  '+03:00': 'eest eat',
  '+05:00': 'pkt',
  '+08:00': 'hkt awst',
  '+09:00': 'jst',
  '+09:30': 'acst',
  '+10:00': 'aest',
  '+10:30': 'acdt',
  '+11:00': 'aedt',
  '+12:00': 'nzst',
  '+13:00': 'nzdt',
} as const;

/** Offset by abbreviation in lower case. */
export const ZONE_OFFSETS: ReadonlyMap<string, string> = new Map(
  Object.entries(OFFSETS).flatMap(([offset, zones]) => zones.split(' ').map((zone) => [zone, offset] as const)),
);

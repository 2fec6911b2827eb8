const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

export function TimeAgo({ at }: { at: string }) {
  const time = new Date(at);
  return (
    <time dateTime={at} title={absolute.format(time)}>
      {describe((time.getTime() - Date.now()) / 1_000)}
    </time>
  );
}

function describe(seconds: number): string {
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return unit === 'second' ? 'just now' : relative.format(Math.round(seconds / length), unit);
}

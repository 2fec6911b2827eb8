import type { Check } from '../table-quality-query.js';

export function CheckEvidence({ check: { evidence } }: { check: Check }) {
  if (!evidence) return null;
  const { message, sampleKeys, topViolatingValues } = evidence;
  return (
    <div className="space-y-2">
      {message && <p className="break-words text-muted">{message}</p>}
      <dl className="space-y-1.5">
        <Samples title="Failing values" samples={topViolatingValues} />
        <Samples title="Keys of failing rows" samples={sampleKeys} />
      </dl>
    </div>
  );
}

function Samples({ title, samples }: { title: string; samples?: readonly string[] | null | undefined }) {
  if (!samples?.length) return null;
  return (
    <div className="flex flex-wrap items-baseline gap-1.5">
      <dt className="text-xs text-muted">{title}</dt>
      {samples.map((sample) => (
        <dd key={sample} className="max-w-64 truncate rounded bg-sunken px-1.5 py-0.5 font-mono text-xs" title={sample}>
          {sample === '' ? '(empty)' : sample}
        </dd>
      ))}
    </div>
  );
}

import { useEffect, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../../gql/gql.js';
import type { ContractPreviewQuery, TableContractInput } from '../../../gql/graphql.js';
import { Card } from '../../../ui/card.js';
import { countOf } from '../../../ui/count-of.js';
import { FailureNotice } from '../../../ui/failure-notice.js';
import { Loading } from '../../../ui/loading.js';
import { seriesTitle } from '../charts/chart-series.js';
import { PreviewStrip } from './preview-strip.js';

const previewQuery = graphql(`
  query ContractPreview($input: TableContractInput!) {
    previewTableContract(input: $input) {
      runs
      checks {
        spec {
          id
        }
        unknownBecause
        runs {
          capturedAt
          observed
          before
          after
        }
      }
      series {
        seriesId
        points {
          capturedAt
          value
          before
          after
        }
      }
    }
  }
`);

/** Time without a change after which the console requests the preview. */
const PAUSE_MS = 300;

type Preview = NonNullable<ContractPreviewQuery['previewTableContract']>;

/** Shows the effect that the changed contract would have had on the stored runs. */
export function ContractPreview({ input }: { input: TableContractInput | undefined }) {
  const settled = useSettled(input);
  const [{ data, error, fetching }] = useQuery({
    query: previewQuery,
    variables: { input: settled as TableContractInput },
    pause: settled === undefined,
    requestPolicy: 'network-only',
  });
  const preview = data?.previewTableContract;
  return (
    <Card title="Preview against earlier runs">
      <div aria-live="polite" aria-busy={fetching} className="max-h-[60vh] space-y-4 overflow-auto px-5 py-4 text-sm">
        {input === undefined && (
          <p className="text-muted">Change the contract to see which earlier runs would have had a different result.</p>
        )}
        {input && error && <FailureNotice error={error} />}
        {input && !error && !preview && <Loading />}
        {input && !error && preview && <Effects preview={preview} />}
      </div>
    </Card>
  );
}

function Effects({ preview: { runs, checks, series } }: { preview: Preview }) {
  const lines = [
    ...checks.map(({ spec, unknownBecause, runs: ofCheck }) => ({
      title: spec.id,
      note: unknownBecause,
      steps: ofCheck.map(({ before, after, capturedAt }) => ({
        ...{ capturedAt, wasBad: isFailure(before), isBad: isFailure(after) },
      })),
    })),
    ...series.map(({ seriesId, points }) => {
      const [, kind = '', ...column] = seriesId.split(':');
      return {
        title: `Chart of ${seriesTitle(kind as 'TABLE_BYTES', column.join(':'))}`,
        note: points.length === 0 ? 'The chart is new. The next run adds its first point.' : null,
        steps: points.map(({ before, after, capturedAt }) => ({
          ...{ capturedAt, wasBad: isSignal(before), isBad: isSignal(after) },
        })),
      };
    }),
  ];
  const changed = lines.filter(({ note, steps }) => note || steps.some(({ wasBad, isBad }) => wasBad !== isBad));
  return (
    <>
      <p className="text-muted">
        {changed.length === 0
          ? `${countOf(runs, 'recent run')} would have had the same results.`
          : `Compared with ${countOf(runs, 'recent run')}:`}
      </p>
      {changed.map(({ title, note, steps }) => (
        <section key={title} aria-label={title} className="space-y-1">
          <h3 className="text-xs font-semibold break-words">{title}</h3>
          {note ? <p className="text-xs text-muted">{note}</p> : <PreviewStrip title={title} steps={steps} />}
        </section>
      ))}
    </>
  );
}

function isFailure(status: string): boolean {
  return status === 'FAIL' || status === 'WARN';
}

function isSignal(status: string): boolean {
  return status === 'OUT_OF_CONTROL' || status === 'WARNING';
}

/** Returns the latest input that remained unchanged for `PAUSE_MS`, or the first input if there is none. */
function useSettled(input: TableContractInput | undefined): TableContractInput | undefined {
  const key = JSON.stringify(input);
  const [settled, setSettled] = useState(key);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return useMemo(() => (settled === undefined ? undefined : JSON.parse(settled)), [settled]);
}

import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../../gql/gql.js';
import { Button } from '../../../ui/button.js';
import { countOf } from '../../../ui/count-of.js';
import { FailureNotice } from '../../../ui/failure-notice.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { SelectField } from '../../../ui/select-field.js';
import { formatSeriesValue } from '../format-value.js';
import { type ChartSeries, startOfShift } from './chart-series.js';

const acceptMutation = graphql(`
  mutation AcceptLevel($seriesId: String!, $from: DateTime) {
    acceptSpcLevel(seriesId: $seriesId, from: $from) {
      id
      version
    }
  }
`);

/** Number of latest points from which the user can select the start of the new level. */
const OFFERED_POINTS = 30;

const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

interface AcceptLevelProps {
  series: ChartSeries;
  minHistory: number;
  onAccepted: () => void;
  onClose: () => void;
}

export function AcceptLevel({ series, minHistory, onAccepted, onClose }: AcceptLevelProps) {
  const { id, kind, title, points, level } = series;
  const [from, setFrom] = useState(level && !isShifted(series) ? level.from : startOfShift(series).capturedAt);
  const [accepted, accept] = useMutation(acceptMutation);
  const save = (start: string | null): Promise<void> =>
    accept({ seriesId: id, from: start }).then(({ error }) => {
      if (error) return;
      onAccepted();
      onClose();
    });
  const offered = points.slice(-OFFERED_POINTS).reverse();
  const options = Object.fromEntries(
    offered.map(({ capturedAt, latestValue }) => [
      capturedAt,
      `${dateTime.format(new Date(capturedAt))}: ${formatSeriesValue(kind, latestValue)}`,
    ]),
  );
  const kept = points.filter(({ capturedAt }) => capturedAt >= from).length;
  return (
    <FormDialog
      title={`Accept a new level: ${title}`}
      submitLabel="Accept the level"
      isBusy={accepted.fetching}
      isDone={false}
      onSubmit={() => save(from)}
      onClose={onClose}
    >
      <p className="text-sm text-muted">
        Accept a level if the values changed for a known reason and will remain at the new level. From the next run on,
        the service computes the limits from the points of the new level.
      </p>
      <SelectField label="First point of the new level" name="from" options={options} value={from} onChange={setFrom} />
      <p className="text-sm">
        The level has {countOf(kept, 'point')}. The limits ignore {countOf(points.length - kept, 'earlier point')} of
        the chart. {kept < minHistory && `The chart reports no violations until the level has ${minHistory} points.`}
      </p>
      {level && (
        <Button kind="quiet" isBusy={accepted.fetching} onClick={() => save(null)}>
          Withdraw the accepted level and use all points again
        </Button>
      )}
      {accepted.error && <FailureNotice error={accepted.error} />}
    </FormDialog>
  );
}

function isShifted({ latest: { status } }: ChartSeries): boolean {
  return status === 'OUT_OF_CONTROL' || status === 'WARNING';
}

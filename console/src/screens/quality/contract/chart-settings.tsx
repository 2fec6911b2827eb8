import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SigmaMethod, SpcBaseline, SpcRule, SpcSeriesKind } from '../../../gql/graphql.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { SelectField } from '../../../ui/select-field.js';
import { INPUT_CLASSES } from '../../../ui/text-field.js';
import { seriesTitle } from '../charts/chart-series.js';
import { SERIES_TITLES } from '../charts/chart-words.js';
import { ColumnSelect } from './column-select.js';
import type { Draft } from './contract-draft.js';

const BASELINES: Readonly<Record<SpcBaseline, string>> = {
  recent: 'the latest points',
  weekday: 'points of the same weekday',
};

const SIGMA_METHODS: Readonly<Record<SigmaMethod, string>> = {
  sample_stddev: 'Standard deviation of the points',
  moving_range: 'Mean absolute difference between consecutive points (moving range)',
};

const OPTIONAL_RULES: Readonly<Partial<Record<SpcRule, string>>> = {
  NELSON_4: '14 points in a row alternate',
  NELSON_7: '15 points in a row within 1 sigma',
  NELSON_8: '8 points in a row outside 1 sigma',
  WECO_4: '8 points in a row on one side of the mean',
};

interface ChartSettingsProps {
  draft: Draft;
  columns: readonly string[];
  onChange: (part: Partial<Draft>) => void;
}

export function ChartSettings({ draft, columns, onChange }: ChartSettingsProps) {
  const { series, windowSize, minHistoryForViolation, sigmaMethod, extraSpcRules } = draft;
  return (
    <Card title={`Control charts (${series.length})`}>
      <ul className="divide-y divide-line">
        {series.map((one, at) => {
          const title = seriesTitle(one.kind, one.column);
          return (
            <li key={title} className="flex flex-wrap items-end gap-4 px-5 py-3 text-sm">
              <span className="min-w-40 flex-1 pb-2 font-medium break-words">{title}</span>
              <div className="w-56">
                <SelectField
                  label="Compared with"
                  name="baseline"
                  options={BASELINES}
                  value={one.baseline ?? 'recent'}
                  onChange={(baseline) =>
                    onChange({ series: series.map((other, nth) => (nth === at ? { ...other, baseline } : other)) })
                  }
                />
              </div>
              <Button
                kind="quiet"
                className="px-2!"
                aria-label={`Remove the chart: ${title}`}
                onClick={() => onChange({ series: series.filter((_, nth) => nth !== at) })}
              >
                <Trash2 aria-hidden className="size-4" />
              </Button>
            </li>
          );
        })}
      </ul>
      <NewSeries series={series} columns={columns} onAdd={(one) => onChange({ series: [...series, one] })} />
      <div className="grid items-start gap-4 border-t border-line px-5 py-4 sm:grid-cols-2">
        <NumberField
          label="Earlier points for the control limits (5 to 200)"
          value={windowSize}
          onChange={(value) => onChange({ windowSize: value })}
        />
        <NumberField
          label="Earlier points required before the chart reports violations"
          value={minHistoryForViolation}
          onChange={(value) => onChange({ minHistoryForViolation: value })}
        />
        <SelectField
          label="Variation"
          name="sigmaMethod"
          options={SIGMA_METHODS}
          value={sigmaMethod}
          onChange={(value) => onChange({ sigmaMethod: value })}
        />
        <fieldset className="space-y-1 text-sm">
          <legend className="font-medium">Optional rules</legend>
          {Object.entries(OPTIONAL_RULES).map(([rule, text]) => (
            <label key={rule} className="flex items-center gap-2">
              <input
                type="checkbox"
                className="accent-accent"
                checked={extraSpcRules.includes(rule as SpcRule)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange({
                    extraSpcRules: checked
                      ? [...extraSpcRules, rule as SpcRule]
                      : extraSpcRules.filter((one) => one !== rule),
                  })
                }
              />
              {text}
            </label>
          ))}
        </fieldset>
      </div>
    </Card>
  );
}

function NumberField({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <label className="block text-sm font-medium">
      {label}
      <input
        type="number"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.valueAsNumber || 0)}
        className={INPUT_CLASSES}
      />
    </label>
  );
}

interface NewSeriesProps {
  series: Draft['series'];
  columns: readonly string[];
  onAdd: (series: Draft['series'][number]) => void;
}

function NewSeries({ series, columns, onAdd }: NewSeriesProps) {
  const [kind, setKind] = useState<SpcSeriesKind>('TABLE_ROW_COUNT');
  const [column, setColumn] = useState(columns[0] ?? '');
  const needsColumn = kind.startsWith('COLUMN_');
  const exists = series.some((one) => one.kind === kind && (!needsColumn || one.column === column));
  return (
    <div className="flex flex-wrap items-end gap-3 border-t border-line bg-sunken/50 px-5 py-4">
      <div className="min-w-56 flex-1">
        <SelectField label="New chart" name="kind" options={SERIES_TITLES} value={kind} onChange={setKind} />
      </div>
      {needsColumn && (
        <ColumnSelect
          label="Column of the chart"
          name="seriesColumn"
          columns={columns}
          value={column}
          onChange={setColumn}
        />
      )}
      <Button disabled={exists} onClick={() => onAdd({ kind, ...(needsColumn && { column }) })}>
        {exists ? 'Already in the contract' : 'Add the chart'}
      </Button>
    </div>
  );
}

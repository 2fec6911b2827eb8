import { useState } from 'react';
import type { ArtifactColumnInput, ColumnConfidence } from '../../gql/graphql.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { countOf } from '../../ui/count-of.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import type { Tone } from '../../ui/tone.js';
import { describeField } from './describe-field.js';
import { EditColumn } from './edit-column.js';
import { type ColumnsCheck, type File, type FileField, fieldsOf } from './file-query.js';

type Evidence = NonNullable<File['inference']>['columnMetadata'][number];

interface ColumnRow {
  /** The column as a publication would load it. */
  readonly field: FileField;
  readonly inferred: FileField;
  readonly evidence: Evidence | undefined;
  /** Number of values that do not fit the type. Undefined during the check of the rows. */
  readonly failed: number | undefined;
}

const CONFIDENCE_TONES: Readonly<Record<ColumnConfidence, Tone>> = { low: 'bad', medium: 'warn', high: 'good' };

interface ColumnTableProps {
  file: File;
  check?: ColumnsCheck | undefined;
  changes?: readonly ArtifactColumnInput[];
  /** Without `column`, restores the inferred type. If the function is undefined, the table offers no actions. */
  onChange?: (name: string, column?: ArtifactColumnInput) => void;
}

export function ColumnTable({ file, check, changes = [], onChange }: ColumnTableProps) {
  const [edited, setEdited] = useState<ColumnRow>();
  const rows = rowsOf(file, check, changes);
  return (
    <Card title={`Columns (${rows.length.toLocaleString('en')})`}>
      <DataTable
        columns={onChange ? editableColumns(setEdited, onChange) : [COLUMN, TYPE, CONFIDENCE, EVIDENCE]}
        rows={rows}
        keyOf={({ field }) => field.name}
        label="Columns of the file"
        hasFixedHeader
      />
      {edited && onChange && (
        <EditColumn
          file={file}
          field={edited.field}
          others={changes.filter(({ name }) => name !== edited.field.name)}
          onUse={(column) => onChange(edited.field.name, column)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Card>
  );
}

function rowsOf(file: File, check: ColumnsCheck | undefined, changes: readonly ArtifactColumnInput[]): ColumnRow[] {
  const checked = new Map(check?.columns.map((one) => [one.column.name, one]));
  const changed = new Map(changes.map((one) => [one.name, one]));
  const evidence = new Map(file.inference?.columnMetadata.map((one) => [one.fieldPath, one]));
  const inferred = new Map(
    fieldsOf({ dataSchema: file.inference?.schema ?? null }).map((field) => [field.name, field]),
  );
  return fieldsOf(file).map((field) => ({
    field: changed.has(field.name)
      ? { ...(checked.get(field.name)?.column ?? (changed.get(field.name) as never)) }
      : field,
    inferred: inferred.get(field.name) ?? field,
    evidence: evidence.get(field.name),
    failed: check && (checked.get(field.name)?.failed ?? 0),
  }));
}

const COLUMN: Column<ColumnRow> = {
  title: 'Column',
  className: 'align-top',
  cell: ({ field, inferred }) => (
    <span className="block max-w-48 min-w-24">
      <span className="font-mono font-normal break-all">{field.name}</span>
      {inferred.title && <span className="block text-xs font-normal text-muted">“{inferred.title.trim()}”</span>}
    </span>
  ),
};

const TYPE: Column<ColumnRow> = { title: 'Type', className: 'align-top', cell: (row) => <TypeCell row={row} /> };

const CONFIDENCE: Column<ColumnRow> = {
  title: 'Confidence',
  className: 'align-top',
  cell: ({ evidence }) =>
    evidence ? <Badge tone={CONFIDENCE_TONES[evidence.confidence]}>{evidence.confidence}</Badge> : '–',
};

const EVIDENCE: Column<ColumnRow> = {
  title: 'Evidence',
  className: 'align-top',
  cell: ({ evidence }) => evidence && <EvidenceCell evidence={evidence} />,
};

const FAILED: Column<ColumnRow> = {
  title: 'Do not fit',
  align: 'right',
  className: 'align-top',
  cell: ({ failed }) =>
    failed === undefined ? '…' : <span className={failed > 0 ? 'text-bad' : ''}>{failed.toLocaleString('en')}</span>,
};

/** The actions are in the column of the type, so that they are visible on narrow screens. */
function editableColumns(
  edit: (row: ColumnRow) => void,
  onChange: NonNullable<ColumnTableProps['onChange']>,
): readonly [Column<ColumnRow>, ...Column<ColumnRow>[]] {
  const type: Column<ColumnRow> = {
    ...TYPE,
    cell: (row) => (
      <span className="flex flex-col items-start">
        <TypeCell row={row} />
        <TypeAction label="Change the type" row={row} onClick={() => edit(row)} />
        {isChanged(row) && (
          <TypeAction label="Use the inferred type" row={row} onClick={() => onChange(row.field.name)} />
        )}
      </span>
    ),
  };
  return [COLUMN, type, FAILED, CONFIDENCE, EVIDENCE];
}

function TypeAction({ label, row, onClick }: { label: string; row: ColumnRow; onClick: () => void }) {
  return (
    <Button kind="quiet" className="-ml-2.5 px-2.5! py-1! whitespace-nowrap text-accent!" onClick={onClick}>
      {label}
      <span className="sr-only"> of {row.field.name}</span>
    </Button>
  );
}

function isChanged({ field, inferred }: ColumnRow): boolean {
  return field.type !== inferred.type || describeField(field) !== describeField(inferred);
}

function TypeCell({ row }: { row: ColumnRow }) {
  const { field, inferred } = row;
  return (
    <span className="block min-w-36">
      <span className="font-medium">{field.type}</span>
      <span className="block text-xs text-muted">{describeField(field)}</span>
      {field.nullable && <span className="block text-xs text-muted">may be missing</span>}
      {isChanged(row) && (
        <span className="block text-xs text-info">
          Inferred: {[inferred.type, describeField(inferred)].filter(Boolean).join(', ')}
        </span>
      )}
    </span>
  );
}

function EvidenceCell({ evidence }: { evidence: Evidence }) {
  const { doubts, firstSampleError, sampleSeen } = evidence;
  return (
    <ul className="min-w-56 space-y-1 text-xs text-muted">
      {doubts?.length ? (
        doubts.map((doubt) => <li key={doubt}>{doubt}</li>)
      ) : (
        <li>All sampled values fit ({countOf(sampleSeen, 'value')}).</li>
      )}
      {firstSampleError && <li className="text-ink">First: {firstSampleError}</li>}
    </ul>
  );
}

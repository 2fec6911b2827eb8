import { useState } from 'react';
import { type CombinedError, useClient } from 'urql';
import type { ArtifactColumnInput, ArtifactColumnType } from '../../gql/graphql.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { SelectField } from '../../ui/select-field.js';
import { ColumnDetails } from './column-details.js';
import { changeOf } from './column-form.js';
import { type ColumnsCheck, checkColumnsQuery, type File, type FileField, toInput } from './file-query.js';
import { FailingValues, summarize } from './rejected-rows.js';

const TYPES: Readonly<Record<ArtifactColumnType, string>> = {
  String: 'String: any text',
  Boolean: 'Boolean: yes or no',
  Integer: 'Integer',
  Decimal: 'Decimal: exact number',
  Double: 'Double: number with exponent',
  Date: 'Date',
  DateTime: 'DateTime: without offset',
  DateTimeOffset: 'DateTimeOffset: with offset',
  Time: 'Time',
  UUID: 'UUID',
  JSON: 'JSON',
};

interface EditColumnProps {
  file: File;
  field: FileField;
  /** Other columns whose type the user has changed. */
  others: readonly ArtifactColumnInput[];
  onUse: (column: ArtifactColumnInput) => void;
  onClose: () => void;
}

/** Before the user applies the type, shows which rows do not fit. */
export function EditColumn({ file, field, others, onUse, onClose }: EditColumnProps) {
  const client = useClient();
  const [type, setType] = useState<ArtifactColumnType>(field.type);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CombinedError>();
  const [check, setCheck] = useState<ColumnsCheck>();
  const submit = async (form: FormData): Promise<void> => {
    setBusy(true);
    const columns = [...others, changeOf(field.name, type, form)];
    const result = await client.query(checkColumnsQuery, { id: file.id, columns }, { requestPolicy: 'network-only' });
    setBusy(false);
    setError(result.error);
    setCheck(result.data?.checkArtifactColumns ?? undefined);
  };
  const own = check?.columns.find(({ column }) => column.name === field.name);
  return (
    <FormDialog
      title={`Type of ${field.name}`}
      submitLabel="Check the rows"
      isBusy={isBusy}
      isDone={false}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Type"
        name="type"
        options={TYPES}
        value={type}
        onChange={(next) => {
          setType(next);
          setCheck(undefined);
          setError(undefined);
        }}
      />
      <ColumnDetails
        key={type}
        type={type}
        field={type === field.type ? field : undefined}
        onEdit={() => setCheck(undefined)}
      />
      {error && <FailureNotice error={error} />}
      {check && own && (
        <section aria-label="Result of the check" className="-mx-6 space-y-3 border-y border-line py-3">
          <p role="status" className="px-6 text-sm">
            {summarize(check)}
          </p>
          {own.failed > 0 && <FailingValues check={own} />}
          <div className="flex justify-end px-6">
            <Button
              kind="primary"
              onClick={() => {
                onUse(toInput(own.column));
                onClose();
              }}
            >
              Use this type
            </Button>
          </div>
        </section>
      )}
    </FormDialog>
  );
}

import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import type { ArtifactColumnInput } from '../../gql/graphql.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { TextField } from '../../ui/text-field.js';
import { type ColumnsCheck, type File, toInput } from './file-query.js';
import { summarize } from './rejected-rows.js';

const publishMutation = graphql(`
  mutation PublishFile($id: Base62Id!, $name: String!, $columns: [ArtifactColumnInput!]) {
    publishArtifact(artifactId: $id, name: $name, columns: $columns) {
      id
    }
  }
`);

interface PublishFileProps {
  file: File;
  /** The user can publish the file only after this check has finished. */
  check: ColumnsCheck | undefined;
  changes: readonly ArtifactColumnInput[];
  onPublished: () => void;
}

export function PublishFile({ file, check, changes, onPublished }: PublishFileProps) {
  const [isOpen, setOpen] = useState(false);
  const [result, publish] = useMutation(publishMutation);
  const submit = async (form: FormData): Promise<void> => {
    const names = new Set(changes.map(({ name }) => name));
    const columns = check?.columns.filter(({ column }) => names.has(column.name)).map(({ column }) => toInput(column));
    const { data } = await publish({ id: file.id, name: String(form.get('name')), columns: columns ?? [] });
    if (!data?.publishArtifact) return;
    setOpen(false);
    onPublished();
  };
  return (
    <>
      <Button kind="primary" disabled={!check} onClick={() => setOpen(true)}>
        Publish as a table
      </Button>
      {isOpen && check && (
        <FormDialog
          title={`Publish ${file.fileName}`}
          submitLabel="Publish"
          isBusy={result.fetching}
          isDone={false}
          onSubmit={submit}
          onClose={() => setOpen(false)}
        >
          <TextField
            label="Name"
            name="name"
            help="The service derives the name of the table from this name."
            defaultValue={file.fileName.replace(/\.[^.]+$/, '')}
            required
          />
          <p className="text-sm text-muted">
            {summarize(check)} {check.rejectedRows > 0 && 'The service stores each rejected row with the reason. '}
            You cannot change the types afterwards.
          </p>
          {result.error && <FailureNotice error={result.error} />}
        </FormDialog>
      )}
    </>
  );
}

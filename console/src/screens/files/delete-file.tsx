import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../gql/gql.js';
import { useIsAllowed } from '../../session/permissions.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { formatBytes } from '../../ui/format-bytes.js';
import type { File } from './file-query.js';

const deleteMutation = graphql(`
  mutation DeleteFile($id: Base62Id!) {
    deleteArtifact(artifactId: $id)
  }
`);

export function DeleteFile({ file, workspace }: { file: File; workspace: string }) {
  const isAllowed = useIsAllowed('artifacts:delete');
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const [result, remove] = useMutation(deleteMutation);
  if (!isAllowed) return null;
  const confirm = async (): Promise<void> => {
    const { data } = await remove({ id: file.id });
    if (data?.deleteArtifact) await navigate({ to: '/w/$workspace/files', params: { workspace } });
  };
  return (
    <>
      <Button onClick={() => setAsks(true)}>Delete the file</Button>
      {asks && (
        <ConfirmDialog
          title={`Delete ${file.fileName}?`}
          confirmLabel="Delete the file"
          isBusy={result.fetching}
          onConfirm={confirm}
          onClose={() => setAsks(false)}
        >
          <p>
            This deletes the file ({formatBytes(file.fileSize)}) and its inferred types. The service erases the bytes
            after 30 days. Until then, an operator can restore the file.
          </p>
          {result.error && <FailureNotice error={result.error} />}
        </ConfirmDialog>
      )}
    </>
  );
}

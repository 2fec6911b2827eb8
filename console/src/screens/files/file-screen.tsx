import { useMutation, useQuery } from 'urql';
import { useIsAllowed } from '../../session/permissions.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { formatBytes } from '../../ui/format-bytes.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { TimeAgo } from '../../ui/time-ago.js';
import { DeleteFile } from './delete-file.js';
import { type File, fileQuery } from './file-query.js';
import { fileRoute } from './file-route.js';
import { stateOf } from './file-state.js';
import { HowRead } from './how-read.js';
import { inferMutation } from './infer-mutation.js';
import { PublicationCard } from './publication-card.js';
import { TypedColumns } from './typed-columns.js';

export function FileScreen() {
  const { workspace, file: id } = fileRoute.useParams();
  const [result, reload] = useQuery({
    query: fileQuery,
    variables: { id, readsTaps: useIsAllowed('connectors:read'), readsTables: useIsAllowed('catalog:read') },
  });
  const refresh = (): void => reload({ requestPolicy: 'network-only' });
  const file = result.data?.artifact;
  return (
    <Page
      title={file?.fileName ?? 'File'}
      heading={file && <Heading file={file} />}
      parent={{ label: 'Files', to: `/w/${workspace}/files` }}
      lead={file && <Lead file={file} />}
      actions={file && !file.attributedTapId && <DeleteFile file={file} workspace={workspace} />}
    >
      <QueryView result={result} onRetry={refresh}>
        {({ artifact }) =>
          artifact ? (
            <FileParts file={artifact} workspace={workspace} onChange={refresh} />
          ) : (
            <EmptyState title="This file does not exist" />
          )
        }
      </QueryView>
    </Page>
  );
}

function Heading({ file }: { file: File }) {
  const { label, tone } = stateOf(file);
  return (
    <span className="flex flex-wrap items-center gap-3">
      <span className="break-all">{file.fileName}</span> <Badge tone={tone}>{label}</Badge>
    </span>
  );
}

function Lead({ file: { fileSize, fileType, path, createdAt, uploadedBy } }: { file: File }) {
  return (
    <>
      {formatBytes(fileSize)}, {fileType.toUpperCase()}, uploaded <TimeAgo at={createdAt} /> by {uploadedBy.name}
      {path && ` to ${path}`}.
    </>
  );
}

interface FilePartsProps {
  file: File;
  workspace: string;
  onChange: () => void;
}

function FileParts({ file, workspace, onChange }: FilePartsProps) {
  if (file.fileType !== 'csv') {
    return (
      <EmptyState title={`The service stores ${file.fileType.toUpperCase()} files, but cannot publish them`}>
        Convert the file to CSV, then upload the converted file.
      </EmptyState>
    );
  }
  return (
    <div className="space-y-6">
      {file.attributedTap && <PublicationCard tap={file.attributedTap} workspace={workspace} onChange={onChange} />}
      {file.inferenceError && (
        <Notice tone="bad" title={`${file.inferenceError.code}: ${file.inferenceError.message}`} />
      )}
      {file.schemaInferenceStatus === 'succeeded' ? (
        <TypedColumns file={file} workspace={workspace} onChange={onChange} />
      ) : (
        <UntypedFile file={file} onChange={onChange} />
      )}
      <HowRead file={file} />
    </div>
  );
}

function UntypedFile({ file, onChange }: { file: File; onChange: () => void }) {
  const canInfer = useIsAllowed('artifacts:infer') && file.uploadStatus === 'ready';
  const [result, infer] = useMutation(inferMutation);
  const isRunning = result.fetching || file.schemaInferenceStatus === 'running';
  return (
    <Card>
      <EmptyState
        title={
          isRunning ? 'The service is inferring the types of the columns' : 'The types of the columns are not known'
        }
        action={
          canInfer && (
            <Button kind="primary" isBusy={isRunning} onClick={() => infer({ id: file.id }).then(onChange)}>
              Infer the types
            </Button>
          )
        }
      >
        The inference reads up to 10,000 rows and proposes a type for each column. After the inference, you can publish
        the file.
      </EmptyState>
      {result.error && <FailureNotice error={result.error} />}
    </Card>
  );
}

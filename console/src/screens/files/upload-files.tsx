import { Upload as UploadIcon } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { useMutation } from 'urql';
import type { AfterUpload } from '../../api/upload-queue.js';
import { useUploads } from '../../api/uploads.js';
import { useIsAllowed } from '../../session/permissions.js';
import { classNames } from '../../ui/class-names.js';
import { describeError } from '../../ui/describe-error.js';
import { inferMutation } from './infer-mutation.js';
import { UploadList } from './upload-list.js';

interface UploadFilesProps {
  workspace: string;
  onStored: () => void;
}

export function UploadFiles({ workspace, onStored }: UploadFilesProps) {
  const { queue, uploads } = useUploads();
  const [isOver, setOver] = useState(false);
  const canInfer = useIsAllowed('artifacts:infer');
  const [, infer] = useMutation(inferMutation);
  const afterUpload: AfterUpload = async ({ id, fileType }) => {
    onStored();
    if (fileType !== 'csv' || !canInfer) return undefined;
    const { data, error } = await infer({ id });
    onStored();
    const failure = data?.runArtifactSchemaInference?.inferenceError;
    if (failure) return { ...failure, requestId: undefined };
    return error && describeError(error);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    queue.add(event.dataTransfer.files, afterUpload);
  };
  return (
    <div className="mb-6 space-y-3">
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames(
          'flex cursor-pointer flex-col items-center gap-1 rounded-xl border-2 border-dashed px-6 py-7 text-center text-sm transition',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          isOver ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:border-accent',
        )}
      >
        <UploadIcon aria-hidden className="size-5 text-muted" />
        <span className="font-medium">Drop files here, or choose files</span>
        <span className="text-muted">
          CSV or other delimited text, Excel, Numbers, ODS or ZIP. Only delimited text can become a table.
        </span>
        <input
          type="file"
          multiple
          className="sr-only"
          onChange={({ currentTarget }) => {
            queue.add(currentTarget.files ?? [], afterUpload);
            currentTarget.value = ''; // Allows the user to choose the same file again.
          }}
        />
      </label>
      {uploads.length > 0 && <UploadList uploads={uploads} queue={queue} workspace={workspace} />}
    </div>
  );
}

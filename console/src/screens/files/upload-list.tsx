import { Link } from '@tanstack/react-router';
import type { Upload, UploadQueue } from '../../api/upload-queue.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { formatBytes } from '../../ui/format-bytes.js';

const STATES: Readonly<Record<Upload['state'], string>> = {
  waiting: 'Waiting',
  sending: 'Uploading',
  storing: 'Storing',
  following: 'Inferring the types of the columns',
  done: 'Done',
  failed: 'Failed',
};

interface UploadListProps {
  uploads: readonly Upload[];
  queue: UploadQueue;
  workspace: string;
}

export function UploadList({ uploads, queue, workspace }: UploadListProps) {
  const hasEnded = uploads.some(({ state }) => state === 'done' || state === 'failed');
  return (
    <Card
      title="Uploads"
      actions={
        hasEnded && (
          <Button kind="quiet" onClick={() => queue.removeEnded()}>
            Hide finished
          </Button>
        )
      }
    >
      <ul aria-label="Uploads" className="divide-y divide-line">
        {uploads.map((upload) => (
          <li key={upload.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm">
            <UploadProgress upload={upload} workspace={workspace} />
            <UploadAction upload={upload} queue={queue} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function UploadProgress({ upload, workspace }: { upload: Upload; workspace: string }) {
  const { file, state, sentBytes, artifactId, failure } = upload;
  return (
    <div className="min-w-0 flex-1 basis-60">
      {artifactId ? (
        <Link
          to="/w/$workspace/files/$file"
          params={{ workspace, file: artifactId }}
          className="font-medium break-all hover:underline"
        >
          {file.name}
        </Link>
      ) : (
        <span className="font-medium break-all">{file.name}</span>
      )}
      <p role={failure ? 'alert' : 'status'} className={failure ? 'text-bad' : 'text-muted'}>
        {failure ? failure.message : describeProgress(upload)}
      </p>
      {failure?.requestId && (
        <p className="text-xs text-muted">
          Request <code className="select-all">{failure.requestId}</code>
        </p>
      )}
      {(state === 'sending' || state === 'storing') && (
        <progress
          aria-label={`Progress of ${file.name}`}
          max={Math.max(file.size, 1)}
          value={sentBytes}
          className="mt-1 h-2 w-full overflow-hidden rounded-full"
        />
      )}
    </div>
  );
}

function describeProgress({ file, state, sentBytes }: Upload): string {
  const size = formatBytes(file.size);
  return state === 'sending' ? `Uploading: ${formatBytes(sentBytes)} of ${size}` : `${STATES[state]}, ${size}`;
}

/**
 * An upload cannot be cancelled after the browser has sent all bytes, because the service may already have stored the
 * file. A failed upload can be repeated only if the file is not stored.
 */
function UploadAction({ upload: { id, file, state, artifactId }, queue }: { upload: Upload; queue: UploadQueue }) {
  if (state === 'waiting' || state === 'sending') {
    return (
      <Button onClick={() => queue.cancel(id)}>
        Cancel<span className="sr-only"> the upload of {file.name}</span>
      </Button>
    );
  }
  if (state !== 'failed' || artifactId) return null;
  return (
    <Button onClick={() => queue.retry(id)}>
      Try again<span className="sr-only"> to upload {file.name}</span>
    </Button>
  );
}

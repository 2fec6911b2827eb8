import type { Session } from '../session/session.js';
import { type Failure, UNREACHABLE } from '../ui/describe-error.js';
import { withAccessToken } from './with-access-token.js';

export interface UploadedFile {
  readonly id: string;
  readonly fileType: string;
}

export interface UploadOptions {
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

/** Throws `UploadError`, and an `AbortError` if the signal aborts the upload. */
export type UploadFile = (file: File, options: UploadOptions) => Promise<UploadedFile>;

export class UploadError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** Uploads use the REST API instead of the GraphQL client, because `fetch` reports no progress of the body. */
const UPLOAD_PATH = '/api/artifacts/upload-artifact';

/** Calls `onEnd` if the user must sign in again. */
export function createUploadFile(session: Session, workspace: string, onEnd: () => void): UploadFile {
  return async (file, options) => {
    const { status, text, requestId } = await withAccessToken(session, onEnd, (token) =>
      send(file, { authorization: `Bearer ${token}`, 'x-tenant': workspace }, options),
    );
    if (status === 200) return JSON.parse(text).data.artifact;
    throw new UploadError({ ...readError(status, text), requestId });
  };
}

/**
 * If a proxy sent the response, the body is not `{"error": "CODE: message"}`. The status 0 means that no response
 * arrived.
 */
function readError(status: number, text: string): Pick<Failure, 'code' | 'message'> {
  try {
    const [, code, message] = /^([\w-]+): (.*)$/s.exec(JSON.parse(text).error) ?? [];
    return { code, message: message ?? text };
  } catch {
    const message =
      status === 0
        ? UNREACHABLE
        : `The upload failed with the HTTP status ${status}. A proxy in front of the service may have rejected it.`;
    return { code: undefined, message };
  }
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly requestId: string | undefined;
}

/** If the connection is lost, the status is 0. */
function send(file: File, headers: Record<string, string>, { onProgress, signal }: UploadOptions): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.append('data', '{}');
  form.append('file', file);
  request.open('POST', UPLOAD_PATH);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
  request.onloadend = () =>
    resolve({
      ...{ status: request.status, text: request.responseText },
      requestId: request.getResponseHeader('x-request-id') ?? undefined,
    });
  signal.addEventListener('abort', () => {
    request.onloadend = null;
    request.abort();
    reject(signal.reason);
  });
  signal.throwIfAborted();
  request.send(form);
  return promise;
}

import { createHash, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../kernel/errors.js';
import { IncomingFile } from '../../kernel/files/incoming-file.js';
import { decodeId } from '../../kernel/ids.js';
import type { Caller } from '../caller.js';
import type { WorkspaceTransaction } from '../workspace-transaction.js';

declare module '../../kernel/errors.js' {
  interface ErrorCodes {
    IDEMPOTENCY_KEY_REUSED: true;
  }
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly key: string;
  readonly operation: string;
  readonly variables: object;
  /** Its operation calls third parties, and no transaction may be open meanwhile. */
  readonly callsOut: boolean;
  /** Seconds that it may take, where it calls out and that is more than usual. */
  readonly leaseSeconds?: number | undefined;
  /** Its variables hold secrets. */
  readonly takesSecret: boolean;
}

/** The same, with what is kept of it to tell it from others. */
export interface FingerprintedRequest extends KeyedRequest {
  readonly fingerprint: string;
  /** Is compared by its bytes, which are not known before they have been read. */
  readonly file: IncomingFile | undefined;
}

export interface IdempotentResponse {
  readonly text: string;
  /** The text is that of an earlier request. */
  readonly isReplay: boolean;
  /** SHA-256 of the file that came with the first request. */
  readonly fileSha256?: string | undefined;
}

/** How long an answer is kept; a key may be used anew after that. */
const RETENTION_INTERVAL = '24 hours';

/** How long, in milliseconds, a twin waits for the one that came first. */
export const DUPLICATE_WAIT_TIMEOUT_MS = 10_000;

/** Answers that ran out and are cleared away along with a new one, at the most. */
const PRUNE_BATCH_SIZE = 100;

/** What others clear away at the moment is left to them; only a twin is waited for. */
const PRUNE_EXPIRED = `
delete from idempotent_request where id in (
  select id from idempotent_request where tenant_id = ? and created_at < now() - interval '${RETENTION_INTERVAL}' limit ${PRUNE_BATCH_SIZE}
  for update skip locked
) or (tenant_id = ? and caller_id = ? and key = ? and created_at < now() - interval '${RETENTION_INTERVAL}')`;

const SELECT_RESPONSE = `
select fingerprint, reply, file_sha256 as "fileSha256", claimed_until is not null as "isUnderWay" from idempotent_request
where tenant_id = ? and caller_id = ? and key = ?`;

/** What is unique of a request: workspace, caller, key. */
export function uniqueKeyOf({ caller }: WorkspaceTransaction, { key }: KeyedRequest): unknown[] {
  return [decodeId(caller.tenantId), decodeId(caller.id), key];
}

const scryptAsync = promisify(scrypt) as (text: string, salt: string, length: number) => Promise<Buffer>;

/**
 * A fingerprint stays in the database for a day. That of a request with secrets is made slowly, about 50 ms each (RFC 7914), with a salt of
 * its own, since whoever gets a dump could otherwise try out what a weak one is.
 */
export async function fingerprintRequest(caller: Caller, request: KeyedRequest): Promise<FingerprintedRequest> {
  const { key, operation, variables, takesSecret } = request;
  const text = JSON.stringify([operation, variables]);
  const hash = takesSecret
    ? await scryptAsync(text, `${caller.tenantId} ${caller.id} ${key}`, 32)
    : createHash('sha256').update(text).digest();
  const file = Object.values(variables).find((value) => value instanceof IncomingFile);
  return { ...request, fingerprint: hash.toString('hex'), file };
}

/** Clears what ran out, then claims the key by an insertion. CONFLICT where a twin's transaction takes longer than PATIENCE. */
export async function claimIdempotencyKey(
  tx: WorkspaceTransaction,
  request: FingerprintedRequest,
  insertion: string,
  values: unknown[],
): Promise<{ id: string } | undefined> {
  const { em } = tx;
  const ours = uniqueKeyOf(tx, request);
  try {
    await em.execute(`set local lock_timeout = ${DUPLICATE_WAIT_TIMEOUT_MS}`);
    await em.execute(PRUNE_EXPIRED, [ours[0], ...ours]);
    const [claimed] = await em.execute<{ id: string }[]>(insertion, [...ours, request.fingerprint, ...values]);
    await em.execute('set local lock_timeout to default');
    return claimed;
  } catch (error) {
    throw (error as { code?: string }).code === '55P03' ? requestInProgressError() : error; // lock_not_available
  }
}

/** The answer that is kept under the key; undefined while the one that claimed it is still under way. */
export async function readSavedResponse(
  tx: WorkspaceTransaction,
  request: FingerprintedRequest,
): Promise<IdempotentResponse | undefined> {
  type Kept = { fingerprint: string; reply: string; fileSha256: string | null; isUnderWay: boolean };
  const [first] = await tx.em.execute<Kept[]>(SELECT_RESPONSE, uniqueKeyOf(tx, request));
  if (first?.fingerprint !== request.fingerprint) throw keyReusedError('request');
  const { reply: text, fileSha256, isUnderWay } = first;
  return isUnderWay ? undefined : { text, isReplay: true, ...(fileSha256 && { fileSha256 }) };
}

/** Reads the file of a repetition and throws IDEMPOTENCY_KEY_REUSED where it has other bytes than that of the first request. */
export async function requireSameFile(
  { file }: FingerprintedRequest,
  { isReplay, fileSha256 }: IdempotentResponse,
): Promise<void> {
  if (file && isReplay && (await file.sha256()) !== fileSha256) throw keyReusedError('file');
}

function keyReusedError(what: 'request' | 'file'): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', `This Idempotency-Key was used for another ${what}.`);
}

export function requestInProgressError(): AppError {
  return new AppError('CONFLICT', 'A request with this Idempotency-Key is still under way.');
}

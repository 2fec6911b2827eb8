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

export interface KeyedRequest {
  readonly key: string;
  readonly operation: string;
  readonly variables: object;
  /** Whether the operation calls third parties. If so, no transaction may be open during the operation. */
  readonly callsOut: boolean;
  readonly leaseSeconds?: number | undefined;
  readonly takesSecret: boolean;
}

/** Equal requests have the same fingerprint. */
export interface FingerprintedRequest extends KeyedRequest {
  readonly fingerprint: string;
  /**
   * The fingerprint omits the file. After the service has read the file, it compares the hash of the file with the hash
   * of the file in the earlier request.
   */
  readonly file: IncomingFile | undefined;
}

export interface IdempotentResponse {
  readonly text: string;
  readonly isReplay: boolean;
  /** SHA-256 of the file of the first request. */
  readonly fileSha256?: string | undefined;
}

/** Time for which the database keeps a response. A client may reuse the key afterwards. */
const RETENTION_INTERVAL = '24 hours';

export const DUPLICATE_WAIT_TIMEOUT_MS = 10_000;

const PRUNE_BATCH_SIZE = 100;

/**
 * Deletes expired rows, and skips rows that a concurrent transaction has locked. Also deletes the row with the key of
 * this request if this row has expired. For this row, waits for the lock.
 */
const PRUNE_EXPIRED = `
delete from idempotent_request where id in (
  select id from idempotent_request where tenant_id = ? and created_at < now() - interval '${RETENTION_INTERVAL}' limit ${PRUNE_BATCH_SIZE}
  for update skip locked
) or (tenant_id = ? and caller_id = ? and key = ? and created_at < now() - interval '${RETENTION_INTERVAL}')`;

const SELECT_RESPONSE = `
select fingerprint, reply, file_sha256 as "fileSha256", claimed_until is not null as "isUnderWay" from idempotent_request
where tenant_id = ? and caller_id = ? and key = ?`;

export function uniqueKeyOf({ caller }: WorkspaceTransaction, { key }: KeyedRequest): unknown[] {
  return [decodeId(caller.tenantId), decodeId(caller.id), key];
}

const scryptAsync = promisify(scrypt) as (text: string, salt: string, length: number) => Promise<Buffer>;

/**
 * The database keeps the fingerprint for a day. For a request with secrets, the fingerprint is a salted, slow hash
 * (scrypt, RFC 7914, about 50 ms). An attacker therefore cannot easily guess weak secrets from a leaked dump.
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

/**
 * Deletes expired rows, then inserts the claim. Waits for the open transaction of another request with the key. Returns
 * undefined if that request has claimed the key. Throws CONFLICT after a wait of `DUPLICATE_WAIT_TIMEOUT_MS`.
 */
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
    // SQLSTATE lock_not_available.
    throw (error as { code?: string }).code === '55P03' ? requestInProgressError() : error;
  }
}

/**
 * Returns undefined while the request that claimed the key is in progress. Throws IDEMPOTENCY_KEY_REUSED if that
 * request was different.
 */
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

/** Throws IDEMPOTENCY_KEY_REUSED if the file differs from the file of the first request. */
export async function requireSameFile(
  { file }: FingerprintedRequest,
  { isReplay, fileSha256 }: IdempotentResponse,
): Promise<void> {
  if (file && isReplay && (await file.sha256()) !== fileSha256) throw keyReusedError('file');
}

function keyReusedError(what: 'request' | 'file'): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', `This Idempotency-Key was already used for a different ${what}.`);
}

export function requestInProgressError(): AppError {
  return new AppError(
    'CONFLICT',
    'A request with this Idempotency-Key is still in progress. Repeat the request later.',
  );
}

import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.js';
import { type SenderStrategy, uniqueHeader } from './sender-claims.js';
import { replayWindowOf, type SenderRequest, type VerifiedSender } from './verify-sender.js';

export interface DeliveryIdentity {
  /** Hexadecimal SHA-256 of the value that identifies the delivery within its tap. */
  readonly key: string;
  readonly keptUntil: Date;
  /** Hexadecimal SHA-256 of the body. Set only with an Idempotency-Key. */
  readonly bodyHash?: string;
}

const DAY_SECONDS = 24 * 3_600;

/** Longest time from the verification of a delivery to its storage. */
const STORAGE_MARGIN_SECONDS = 60;

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Identifies a delivery:
 * - Signed: by the signed id, or by the body if no id is signed. Unsigned headers do not count, because an attacker
 *   could change them for a replay.
 * - Unsigned: by the Idempotency-Key, or by the body if this header is missing.
 *
 * The service remembers an identity for this time:
 * - Signed, with a timestamp: twice the replay window. If the sender's clock is ahead, at least until the signature
 *   expires.
 * - Signed, without a timestamp: a day.
 * - Unsigned, with an Idempotency-Key: a day.
 * - Unsigned, without an Idempotency-Key: twice the replay window.
 *
 * `now` is the time of the database. Throws BAD_REQUEST if the request has several Idempotency-Key headers, or if the
 * key is invalid.
 */
export function identifyDelivery(
  { isSigned, signedId, signedAt }: VerifiedSender,
  strategy: SenderStrategy | undefined,
  { headers, body }: Pick<SenderRequest, 'headers' | 'body'>,
  now: number,
): DeliveryIdentity {
  const window = replayWindowOf(strategy ?? {});
  const untilExpired = signedAt ? Math.ceil((signedAt.getTime() - now) / 1_000) + window + STORAGE_MARGIN_SECONDS : 0;
  const replaySeconds = Math.max(2 * window, untilExpired);
  const idempotencyKey = isSigned ? undefined : readIdempotencyKey(headers);
  const [kind, identity, seconds] =
    signedId !== undefined
      ? ['id', signedId, signedAt ? replaySeconds : DAY_SECONDS]
      : idempotencyKey !== undefined
        ? ['key', idempotencyKey, DAY_SECONDS]
        : ['body', body, isSigned && !signedAt ? DAY_SECONDS : replaySeconds];
  return {
    key: createHash('sha256').update(`${kind} `).update(identity).digest('hex'),
    keptUntil: new Date(now + seconds * 1_000),
    ...(kind === 'key' && { bodyHash: createHash('sha256').update(body).digest('hex') }),
  };
}

function readIdempotencyKey(headers: readonly string[]): string | undefined {
  if (!headers.some((text, at) => at % 2 === 0 && text.toLowerCase() === 'idempotency-key')) return undefined;
  const key = uniqueHeader(headers, 'idempotency-key');
  if (key === undefined || !IDEMPOTENCY_KEY.test(key))
    throw new AppError('BAD_REQUEST', 'Idempotency-Key must be one header of 1 to 255 visible ASCII characters.');
  return key;
}

import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.js';
import { type SenderStrategy, uniqueHeader } from './sender-claims.js';
import { replayWindowOf, type SenderRequest, type VerifiedSender } from './verify-sender.js';

/** What tells a delivery from others of its tap, and for how long it does. */
export interface DeliveryIdentity {
  /** SHA-256, hexadecimal. */
  readonly key: string;
  readonly keptUntil: Date;
  /** SHA-256 of the body, hexadecimal, where the key does not say what it is. */
  readonly bodyHash?: string;
}

const DAY_SECONDS = 24 * 3_600;

/** Seconds from the verification of a delivery to its storage, at most. */
const STORAGE_MARGIN_SECONDS = 60;

/** Visible ASCII, as everywhere in the service. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * A signed delivery is told by the id that was signed with it, else by its body; nothing that is not signed counts, since it could be changed on the way.
 * It is remembered for twice the replay window, and longer than its signature is taken, which may have been signed ahead of time; for a day where that does
 * not end. Others are told by their Idempotency-Key for a
 * day, else by their body. `now` is by the clock of the database, which also decides when the memory ends. Throws BAD_REQUEST where that header is
 * repeated or is none.
 */
export function identifyDelivery(
  { isSigned, signedId, signedAt }: VerifiedSender,
  strategy: SenderStrategy | undefined,
  { headers, body }: Pick<SenderRequest, 'headers' | 'body'>,
  now: number,
): DeliveryIdentity {
  const window = replayWindowOf(strategy ?? {});
  const untilRefused = signedAt ? Math.ceil((signedAt.getTime() - now) / 1_000) + window + STORAGE_MARGIN_SECONDS : 0;
  const whileTaken = Math.max(2 * window, untilRefused);
  const idempotencyKey = isSigned ? undefined : readIdempotencyKey(headers);
  const [kind, told, seconds] =
    signedId !== undefined
      ? ['id', signedId, signedAt ? whileTaken : DAY_SECONDS]
      : idempotencyKey !== undefined
        ? ['key', idempotencyKey, DAY_SECONDS]
        : ['body', body, isSigned && !signedAt ? DAY_SECONDS : whileTaken];
  return {
    key: createHash('sha256').update(`${kind} `).update(told).digest('hex'),
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

import { createHash, createHmac, timingSafeEqual, verify } from 'node:crypto';
import type { InboundVerificationType } from '../../catalog/model/inbound-auth-strategy.js';
import { MAX_SENDER_KEYS, senderKeyFieldsOf, USERNAME_FIELD } from '../../catalog/sender-key-fields.js';
import { parseSignatureBase } from '../../catalog/signature-base.js';
import { parseSenderKey, type SenderKey } from '../../sources/sender-key.js';
import {
  type ClaimedSignature,
  readSenderClaims,
  type SenderClaims,
  type SenderStrategy,
  uniqueHeader,
} from './sender-claims.js';
import { parseSignedTimestamp } from './signed-timestamp.js';

export interface SenderRequest {
  /** Alternating names and values, so that the service can detect repeated headers. */
  readonly headers: readonly string[];
  /** Body before decompression. */
  readonly body: Buffer;
  /** Full URL, as configured at the sender. */
  readonly url: string;
}

export interface VerifiedSender {
  readonly isSigned: boolean;
  /** Set if the signature covers a delivery id. */
  readonly signedId?: string;
  /** Set if the signature covers a time. */
  readonly signedAt?: Date;
}

/** Decrypted values by field name. */
export type SenderConfig = Readonly<Record<string, unknown>>;

const REPLAY_WINDOW_SECONDS = 300;
const STANDARD_WEBHOOKS_BASE = '{id}.{timestamp}.{body}';
const UNSIGNED: VerifiedSender = { isSigned: false };

type Check = (
  strategy: SenderStrategy,
  config: SenderConfig,
  request: SenderRequest,
  now: number,
) => VerifiedSender | undefined;

const CHECKS: Record<InboundVerificationType, Check> = {
  none: () => UNSIGNED,
  shared_token: checkToken,
  basic: checkBasic,
  hmac_sha1: signedWith(hmac('sha1')),
  hmac_sha256: signedWith(hmac('sha256')),
  hmac_sha512: signedWith(hmac('sha512')),
  ed25519: signedWith(publicKey(null)),
  ecdsa_p256_sha256: signedWith(publicKey('sha256')),
  standard_webhooks: signedWith(standardWebhooks),
};

/**
 * Returns undefined if the service cannot verify the sender. Input of the sender never makes this function throw. `now`
 * is in milliseconds since 1970.
 */
export function verifySender(
  strategy: SenderStrategy,
  config: SenderConfig,
  request: SenderRequest,
  now: number,
): VerifiedSender | undefined {
  return CHECKS[strategy.verificationType](strategy, config, request, now);
}

/** Maximum age of a signed timestamp. */
export function replayWindowOf({ replayWindowSeconds }: Pick<SenderStrategy, 'replayWindowSeconds'>): number {
  return replayWindowSeconds ?? REPLAY_WINDOW_SECONDS;
}

/** The current key comes first. */
export function senderKeysOf({ configSchema, verificationType }: SenderStrategy, config: SenderConfig): SenderKey[] {
  return senderKeyFieldsOf(configSchema)
    .slice(0, MAX_SENDER_KEYS)
    .map((field) => config[field])
    .filter((value) => typeof value === 'string')
    .flatMap((text) => parseSenderKey(verificationType, text) ?? []);
}

/** Compares hashes of both values, so that the duration reveals nothing about their content and length. */
export function constantTimeEqual(one: Buffer, other: Buffer): boolean {
  return timingSafeEqual(sha256(one), sha256(other));
}

function checkToken(
  strategy: SenderStrategy,
  config: SenderConfig,
  { headers }: SenderRequest,
): VerifiedSender | undefined {
  const prefix = strategy.signatureFormat?.prefix ?? '';
  const sent = strategy.signatureHeader && uniqueHeader(headers, strategy.signatureHeader);
  if (!sent?.startsWith(prefix)) return undefined;
  return isOneOf(Buffer.from(sent.slice(prefix.length), 'latin1'), secretsOf(strategy, config)) ? UNSIGNED : undefined;
}

/** HTTP Basic (RFC 7617): the scheme, then user name and password in base64. */
function checkBasic(
  strategy: SenderStrategy,
  config: SenderConfig,
  { headers }: SenderRequest,
): VerifiedSender | undefined {
  const username = config[USERNAME_FIELD];
  const sent = uniqueHeader(headers, 'authorization');
  if (typeof username !== 'string' || sent === undefined) return undefined;
  const pairs = secretsOf(strategy, config).map((password) => Buffer.concat([Buffer.from(`${username}:`), password]));
  const wanted = pairs.map((pair) => Buffer.from(`Basic ${pair.toString('base64')}`));
  return isOneOf(Buffer.from(sent), wanted) ? UNSIGNED : undefined;
}

function secretsOf(strategy: SenderStrategy, config: SenderConfig): Buffer[] {
  return senderKeysOf(strategy, config).flatMap((key) => ('secret' in key ? [key.secret] : []));
}

/** Compares with every candidate, so that the duration does not reveal which candidate matched. */
function isOneOf(sent: Buffer, wanted: readonly Buffer[]): boolean {
  return wanted.map((text) => constantTimeEqual(sent, text)).includes(true);
}

type Proof = (key: SenderKey, signed: readonly Buffer[], signatures: readonly ClaimedSignature[]) => boolean;

function signedWith(isProven: Proof): Check {
  return (strategy, config, request, now) => {
    const claims = readSenderClaims(strategy, request.headers);
    const signed = claims && signedBytes(strategy, claims, request);
    if (!claims || !signed) return undefined;
    const unit = strategy.signatureFormat?.timestampUnit ?? 'seconds';
    const { timestamp, id } = claims;
    const signedAt =
      timestamp === undefined ? undefined : parseSignedTimestamp(timestamp, unit, replayWindowOf(strategy), now);
    if (timestamp !== undefined && signedAt === undefined) return undefined;
    const keys = senderKeysOf(strategy, config);
    if (!keys.map((key) => isProven(key, signed, claims.signatures)).includes(true)) return undefined;
    return {
      isSigned: true,
      ...(id !== undefined && { signedId: id }),
      ...(signedAt !== undefined && { signedAt: new Date(signedAt) }),
    };
  };
}

/** Returns the signed bytes in pieces. Returns undefined if the request lacks a piece. */
function signedBytes(
  { verificationType, signatureBase }: SenderStrategy,
  { id, timestamp }: SenderClaims,
  { body, url }: SenderRequest,
): Buffer[] | undefined {
  const template = verificationType === 'standard_webhooks' ? STANDARD_WEBHOOKS_BASE : signatureBase;
  const parts = template && parseSignatureBase(template);
  if (!parts) return undefined;
  const values = { id, timestamp, url, body };
  const pieces = parts.map((part) => ('text' in part ? part.text : values[part.name]));
  if (pieces.includes(undefined)) return undefined;
  return pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : (piece as Buffer)));
}

function hmac(algorithm: 'sha1' | 'sha256' | 'sha512'): Proof {
  return (key, signed, signatures) => {
    if (!('secret' in key)) return false;
    const mac = createHmac(algorithm, key.secret);
    for (const piece of signed) mac.update(piece);
    const wanted = mac.digest();
    return signatures.some(({ bytes }) => bytes.length === wanted.length && timingSafeEqual(bytes, wanted));
  };
}

/** ECDSA signatures are DER-encoded (RFC 3279, section 2.2.3). */
function publicKey(algorithm: 'sha256' | null): Proof {
  return (key, signed, signatures) => {
    if (!('publicKey' in key)) return false;
    const data = Buffer.concat(signed);
    return signatures.some(({ bytes }) => verify(algorithm, data, key.publicKey, bytes));
  };
}

const byVersion: Record<string, Proof> = { v1: hmac('sha256'), v1a: publicKey(null) };

/** A shared secret verifies only `v1` signatures. A public key verifies only `v1a` signatures. */
function standardWebhooks(key: SenderKey, signed: readonly Buffer[], signatures: readonly ClaimedSignature[]): boolean {
  const version = 'secret' in key ? 'v1' : 'v1a';
  const own = signatures.filter((signature) => signature.version === version);
  return byVersion[version]?.(key, signed, own) ?? false;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

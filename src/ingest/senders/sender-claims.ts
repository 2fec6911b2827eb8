import type { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import { decodeStrictBase64, decodeStrictHex } from '../../kernel/formats/strict-decode.js';
import type { Lean } from '../../kernel/reading/reader.js';

export type SenderStrategy = Pick<
  Lean<InboundAuthStrategy>,
  | 'handshakeKind'
  | 'verificationType'
  | 'configSchema'
  | 'replayWindowSeconds'
  | 'signatureBase'
  | 'signatureHeader'
  | 'timestampHeader'
  | 'signatureFormat'
>;

/** The service must not trust these claims until it has verified the signature. */
export interface SenderClaims {
  readonly signatures: readonly ClaimedSignature[];
  /** The unchanged text, because the sender signed this text. */
  readonly timestamp: string | undefined;
  readonly id: string | undefined;
}

export interface ClaimedSignature {
  /** For Standard Webhooks: `v1` for a shared secret, `v1a` for a public key. */
  readonly version: string | undefined;
  readonly bytes: Buffer;
}

/** Limits the cost of verification. */
const MAX_SIGNATURES = 8;

/** Excludes the full stop, which separates the id from the timestamp in the signed text. */
const ID = /^[\w:=+/-]{1,200}$/;

const STANDARD_WEBHOOKS_HEADERS = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' };
const STANDARD_ENTRY = /^(v\d+[a-z]?),(\S+)$/;
const OTHER_PART = /^\w+=[\x21-\x2b\x2d-\x7e]*$/;

/**
 * Returns undefined if the header is missing or repeated, so that a sender cannot choose which value the service reads.
 */
export function uniqueHeader(rawHeaders: readonly string[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted);
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Returns undefined if the signature header or the id header is missing, repeated or malformed. Also returns undefined
 * for more than `MAX_SIGNATURES` signatures.
 */
export function readSenderClaims(strategy: SenderStrategy, rawHeaders: readonly string[]): SenderClaims | undefined {
  const { verificationType, signatureFormat } = strategy;
  const isStandard = verificationType === 'standard_webhooks';
  const names = isStandard
    ? standardHeaders(strategy)
    : { id: signatureFormat?.idHeader, timestamp: strategy.timestampHeader, signature: strategy.signatureHeader };
  const text = names.signature && uniqueHeader(rawHeaders, names.signature);
  const parsed = text && (isStandard ? standardSignatures(text) : customSignatures(strategy, text));
  if (!parsed || parsed.signatures.length === 0 || parsed.signatures.length > MAX_SIGNATURES) return undefined;
  const id = names.id ? uniqueHeader(rawHeaders, names.id) : undefined;
  if (names.id && (id === undefined || !ID.test(id))) return undefined;
  const timestamp = names.timestamp ? uniqueHeader(rawHeaders, names.timestamp) : parsed.timestamp;
  return { signatures: parsed.signatures, timestamp, id };
}

/** A strategy may rename the headers, because some senders use names older than the specification. */
function standardHeaders({
  signatureHeader,
  timestampHeader,
  signatureFormat,
}: SenderStrategy): typeof STANDARD_WEBHOOKS_HEADERS {
  return {
    id: signatureFormat?.idHeader ?? STANDARD_WEBHOOKS_HEADERS.id,
    timestamp: timestampHeader ?? STANDARD_WEBHOOKS_HEADERS.timestamp,
    signature: signatureHeader ?? STANDARD_WEBHOOKS_HEADERS.signature,
  };
}

interface ParsedSignatures {
  readonly signatures: readonly ClaimedSignature[];
  readonly timestamp?: string | undefined;
}

/** Parses `v1,BASE64 v1a,BASE64`. Signatures with an unknown version match no key. */
function standardSignatures(text: string): ParsedSignatures | undefined {
  const signatures: ClaimedSignature[] = [];
  for (const entry of text.split(' ')) {
    const [, version, base64 = ''] = STANDARD_ENTRY.exec(entry) ?? [];
    const bytes = decodeStrictBase64(base64);
    if (!version || !bytes) return undefined;
    signatures.push({ version, bytes });
  }
  return { signatures };
}

/** `separator` separates the parts of a header with a timestamp or several signatures, as in `t=1700000000,v1=HEX`. */
function customSignatures({ signatureFormat }: SenderStrategy, text: string): ParsedSignatures | undefined {
  const { encoding = 'hex', prefix = '', timestampPrefix, separator = ',' } = signatureFormat ?? {};
  const decode = encoding === 'hex' ? decodeStrictHex : decodeStrictBase64;
  const signatures: ClaimedSignature[] = [];
  const timestamps: string[] = [];
  const isList = timestampPrefix !== undefined || signatureFormat?.isList === true;
  for (const part of isList ? text.split(separator) : [text]) {
    if (timestampPrefix !== undefined && part.startsWith(timestampPrefix)) {
      timestamps.push(part.slice(timestampPrefix.length));
    } else if (part.startsWith(prefix)) {
      const bytes = decode(part.slice(prefix.length));
      if (!bytes) return undefined;
      signatures.push({ version: undefined, bytes });
    } else if (!isList || !OTHER_PART.test(part)) return undefined;
  }
  if (timestamps.length > 1) return undefined;
  return { signatures, timestamp: timestamps[0] };
}

import type { InboundAuthStrategy } from '../../catalog/model/inbound-auth-strategy.js';
import { decodeStrictBase64, decodeStrictHex } from '../../kernel/formats/strict-decode.js';
import type { Lean } from '../../kernel/reading/reader.js';

/** What of a strategy says how a sender is verified. */
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

/** What a sender says about a delivery: nothing of it is believed before the signature is. */
export interface SenderClaims {
  readonly signatures: readonly ClaimedSignature[];
  /** As it was sent: so it was signed. */
  readonly timestamp: string | undefined;
  readonly id: string | undefined;
}

export interface ClaimedSignature {
  /** Of Standard Webhooks: `v1` by a shared secret, `v1a` by a public key. */
  readonly version: string | undefined;
  readonly bytes: Buffer;
}

/** Signatures in one header; each costs a verification. */
const MAX_SIGNATURES = 8;

/** A full stop would blur where the id ends and the timestamp begins. */
const ID = /^[\w:=+/-]{1,200}$/;

const STANDARD_WEBHOOKS_HEADERS = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' };
const STANDARD_ENTRY = /^(v\d+[a-z]?),(\S+)$/;
const OTHER_PART = /^\w+=[\x21-\x2b\x2d-\x7e]*$/;

/** The value of a header that stands there once; undefined where it is missing or repeated, so that nobody can choose which one counts. */
export function uniqueHeader(rawHeaders: readonly string[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === wanted);
  return values.length === 1 ? values[0] : undefined;
}

/** Undefined where something is missing, repeated or spelled in another way than the strategy says. */
export function readSenderClaims(strategy: SenderStrategy, rawHeaders: readonly string[]): SenderClaims | undefined {
  const { verificationType, signatureFormat } = strategy;
  const isStandard = verificationType === 'standard_webhooks';
  const names = isStandard
    ? standardHeaders(strategy)
    : { id: signatureFormat?.idHeader, timestamp: strategy.timestampHeader, signature: strategy.signatureHeader };
  const text = names.signature && uniqueHeader(rawHeaders, names.signature);
  const spelled = text && (isStandard ? standardSignatures(text) : customSignatures(strategy, text));
  if (!spelled || spelled.signatures.length === 0 || spelled.signatures.length > MAX_SIGNATURES) return undefined;
  const id = names.id ? uniqueHeader(rawHeaders, names.id) : undefined;
  if (names.id && (id === undefined || !ID.test(id))) return undefined;
  const timestamp = names.timestamp ? uniqueHeader(rawHeaders, names.timestamp) : spelled.timestamp;
  return { signatures: spelled.signatures, timestamp, id };
}

/** A strategy may rename the headers, as senders did that are older than the scheme. */
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

/** `v1,BASE64 v1a,BASE64`: each in a version of its own, of which those to come fit no key. */
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

/** `PREFIX` and the signature; with a timestamp in the same header, parts with commas between them, `t=1700000000,v1=HEX`. */
function customSignatures({ signatureFormat }: SenderStrategy, text: string): ParsedSignatures | undefined {
  const { encoding = 'hex', prefix = '', timestampPrefix } = signatureFormat ?? {};
  const decode = encoding === 'hex' ? decodeStrictHex : decodeStrictBase64;
  const signatures: ClaimedSignature[] = [];
  const timestamps: string[] = [];
  for (const part of timestampPrefix === undefined ? [text] : text.split(',')) {
    if (timestampPrefix !== undefined && part.startsWith(timestampPrefix)) {
      timestamps.push(part.slice(timestampPrefix.length));
    } else if (part.startsWith(prefix)) {
      const bytes = decode(part.slice(prefix.length));
      if (!bytes) return undefined;
      signatures.push({ version: undefined, bytes });
    } else if (timestampPrefix === undefined || !OTHER_PART.test(part)) return undefined;
  }
  if (timestamps.length > 1) return undefined;
  return { signatures, timestamp: timestamps[0] };
}

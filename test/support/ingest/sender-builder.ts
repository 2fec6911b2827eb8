import { createHmac } from 'node:crypto';
import type { InboundStrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { readShippedDefinitions } from '../../../src/catalog/definitions/shipped-definitions.js';
import type { SenderStrategy } from '../../../src/ingest/senders/sender-claims.js';

export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly url: string;
}

/** Signs deliveries as the vendor's documentation requires. */
export interface Sender {
  readonly name: string;
  readonly strategy: SenderStrategy;
  readonly config: Readonly<Record<string, string>>;
  /** `at` is in milliseconds since 1970. `timestamp` overrides the time in the delivery. */
  send(at: number, own?: { body?: Buffer; timestamp?: string; config?: Record<string, string> }): SignedDelivery;
}

export const TAP_URL = 'https://taproot.test/ingest/wit_address?from=vendor';

/** Contains bytes that are not UTF-8, so that only a signature of the raw bytes is valid. */
export const SAMPLE_BODY = Buffer.concat([
  Buffer.from('{ "id" : 12345678901234567890, "text":"Grüße '),
  Buffer.from([0xff, 0xfe, 0x00, 0xc3]),
  Buffer.from('\\u00e9"}\r\n'),
]);

type Signed = { body: Buffer; timestamp: string; config: Readonly<Record<string, string>> };
type Sign = (signed: Signed) => Record<string, string>;

export const seconds = (at: number): string => String(Math.floor(at / 1_000));
export const milliseconds = (at: number): string => String(at);
export const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

const shipped = await readShippedDefinitions();

/** Returns the first inbound strategy of a vendor in the bundled catalog. */
export function shippedStrategy(vendor: string): InboundStrategyDefinition {
  const { connectors = [] } = shipped.find(({ slug }) => slug === vendor) ?? {};
  return connectors.flatMap(({ inboundAuthStrategies = [] }) => inboundAuthStrategies)[0] as InboundStrategyDefinition;
}

export function hmac(algorithm: string, key: string | Buffer, ...pieces: (string | Buffer)[]): Buffer {
  const mac = createHmac(algorithm, key);
  for (const piece of pieces) mac.update(piece);
  return mac.digest();
}

export function sender(
  name: string,
  strategy: SenderStrategy,
  config: Record<string, string>,
  sign: Sign,
  timeOf: (at: number) => string = seconds,
): Sender {
  return {
    ...{ name, strategy, config },
    send(at, own = {}) {
      const { body = SAMPLE_BODY, timestamp = timeOf(at) } = own;
      return { headers: sign({ body, timestamp, config: own.config ?? config }), body, url: TAP_URL };
    },
  };
}

export const signingSecret = 'a secret — with more than ASCII';

import type { ConnectorTap } from '../../src/catalog/model/connector-tap.js';
import type { TransportOption } from '../../src/catalog/model/transport-option.js';
import type { OutboundReply } from '../../src/kernel/outbound/outbound-client.js';
import type { Lean } from '../../src/kernel/reading/reader.js';
import type { TapReading } from '../../src/syncs/tap-reading.js';

interface ReadingParts {
  readonly tap?: Partial<Lean<ConnectorTap>>;
  readonly option?: Partial<TransportOption>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly parentFields?: Readonly<Record<string, unknown>>;
}

/** By default, the whole body consists of records with the key `id`. */
export function buildReading({ tap, option, variables = {}, parentFields = {} }: ReadingParts = {}): TapReading {
  const defaults = { responseExtraction: { primaryKey: 'id' }, schema: {}, sync: { mode: 'full' } };
  return {
    tap: { ...defaults, ...tap } as Lean<ConnectorTap>,
    option: { apiType: 'rest', ...option } as TransportOption,
    config: {},
    variables,
    parentFields,
  };
}

interface ReplyParts {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A string or bytes are sent unchanged, and other values as JSON. */
  readonly body?: unknown;
  readonly url?: string;
}

export function buildReply({
  status = 200,
  headers = {},
  body = '',
  url = 'https://api.acme.example/items',
}: ReplyParts = {}): OutboundReply {
  const bytes =
    Buffer.isBuffer(body) || typeof body === 'string' ? Buffer.from(body as string) : Buffer.from(JSON.stringify(body));
  return { status, headers: new Headers(headers), body: bytes, url };
}

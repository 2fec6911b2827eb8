import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface VendorRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

export interface VendorResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function readVendorRequest(request: IncomingMessage): Promise<VendorRequest> {
  const at = Date.now();
  const { pathname, searchParams } = new URL(request.url as string, 'http://127.0.0.1');
  const body = Buffer.concat(await request.toArray()).toString();
  return { method: request.method as string, path: pathname, query: searchParams, headers: request.headers, body, at };
}

/** Returns the JSON body, or an empty object for other bodies. */
// biome-ignore lint/suspicious/noExplicitAny: request bodies have any shape
export function jsonBodyOf({ body }: VendorRequest): Record<string, any> {
  try {
    const value = JSON.parse(body);
    return value !== null && typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
}

/** RFC 7617. Undefined without a valid header. */
export function basicCredentialsOf({ headers }: VendorRequest): [user: string, password: string] | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/]+=*)$/.exec(headers.authorization ?? '') ?? [];
  if (!encoded) return undefined;
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return user === undefined || password === undefined ? undefined : [user, password];
}

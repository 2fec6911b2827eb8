import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { OutboundClient } from '../../kernel/outbound/outbound-client.js';

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/** Milliseconds between two fetches because of an unknown key id, and after a fetch that failed. */
const COOLDOWN_MS = 5_000;

const MAX_DOCUMENT_BYTES = 256 * 1024;
const FETCH_TIMEOUT_MS = 5_000;

/**
 * The keys of an OpenID provider, fetched through the guarded client when they are needed, and again when a token names a
 * key that is not among them. Where `jwksUrl` is left out, the provider's discovery document names it.
 */
export function createProviderKeys(
  issuer: string,
  jwksUrl: string | undefined,
  outbound: OutboundClient,
): JWTVerifyGetKey {
  const fetchDocument = async (url: string): Promise<Response> => {
    const { status, body } = await outbound.request(url, { maxBytes: MAX_DOCUMENT_BYTES, timeoutMs: FETCH_TIMEOUT_MS });
    if (status !== 200) throw new Error(`${url} answers ${status}`);
    return new Response(new Uint8Array(body));
  };
  const fetchKeys = async (url: string): Promise<Response> => {
    const keys = (await (await fetchDocument(url)).json()) as JSONWebKeySet;
    createLocalJWKSet(keys); // throws where the document holds no keys, so that this counts as a failure too
    return Response.json(keys);
  };
  const hold = holdAfterFailure();
  const keysAt = (url: string): RemoteKeys =>
    createRemoteJWKSet(new URL(url), {
      cooldownDuration: COOLDOWN_MS,
      timeoutDuration: FETCH_TIMEOUT_MS * 2,
      [customFetch]: (address: string) => hold(() => fetchKeys(address)),
    });
  const discoveredKeys = async (): Promise<RemoteKeys> => {
    const keys = keysAt(await hold(() => discoverJwksUrl(issuer, fetchDocument)));
    await keys.reload(); // an address is remembered only once there were keys at it
    return keys;
  };
  let keys: Promise<RemoteKeys> | undefined = jwksUrl ? Promise.resolve(keysAt(jwksUrl)) : undefined;
  return async (header, token) => {
    keys ??= discoveredKeys();
    keys.catch(() => (keys = undefined)); // so that the next token tries again
    return (await keys)(header, token);
  };
}

/** Repeats the error of a failed fetch for the cooldown, instead of fetching again: anyone can send tokens with unknown key ids. */
function holdAfterFailure(): <Value>(fetch: () => Promise<Value>) => Promise<Value> {
  let failure: { error: unknown; at: number } | undefined;
  return async (fetch) => {
    if (failure && Date.now() - failure.at < COOLDOWN_MS) throw failure.error;
    return fetch().catch((error: unknown) => {
      failure = { error, at: Date.now() };
      throw error;
    });
  };
}

/** OpenID Connect Discovery 1.0, section 4: the document must name the very issuer that was asked. */
async function discoverJwksUrl(issuer: string, fetchDocument: (url: string) => Promise<Response>): Promise<string> {
  const response = await fetchDocument(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (document?.issuer !== issuer || typeof document.jwks_uri !== 'string' || !URL.canParse(document.jwks_uri))
    throw new Error(`the discovery document of ${issuer} is not its own or names no keys`);
  return document.jwks_uri;
}

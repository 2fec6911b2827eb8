import { canaryValue } from '../secrets/canary-values.js';
import { listenOnLoopback } from '../servers/loopback.js';

/** Where the browser is sent on to, with what stands in place of the client's own parameters. */
interface Relay {
  readonly authorizeUrl: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface HostileProvider {
  readonly issuer: string;
  /** Authorization codes that its token endpoint was sent: somebody else's, if an attack worked. */
  readonly codes: readonly string[];
  /** All that its token endpoint was sent: `client_secret` and `code_verifier` would be spoils as well. */
  readonly forms: readonly Readonly<Record<string, string>>[];
  /** From now on its authorize page sends browsers on to an honest provider (mix-up, RFC 9207 section 1). */
  relayTo(relay: Relay): void;
  /** From now on its authorize page sends browsers back with these parameters, beside the client's state. */
  answerWith(parameters: Readonly<Record<string, string>>): void;
  /** From now on its token endpoint says that it granted, as scopes, all that it was sent. */
  repeatAsScopes(): void;
  close(): Promise<void>;
}

/** An authorization server that wants other servers' codes. Until told otherwise it plays an honest one. */
export async function aHostileProvider(): Promise<HostileProvider> {
  const codes: string[] = [];
  const forms: Record<string, string>[] = [];
  let leave: (asked: URLSearchParams) => URL;
  let scopesOf = (_: Record<string, string>): object => ({});

  const { origin: issuer, close } = await listenOnLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, issuer);
    if (pathname === '/auth') {
      response.writeHead(303, { location: leave(searchParams).href }).end();
      return;
    }
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(await request.toArray()).toString()));
    forms.push(form);
    if (form.code) codes.push(form.code);
    const token = {
      access_token: canaryValue(),
      refresh_token: canaryValue(),
      token_type: 'Bearer',
      expires_in: 3_600,
      ...scopesOf(form),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
  });

  const answerWith = (parameters: Readonly<Record<string, string>>): void => {
    leave = (asked) => {
      const back = { state: asked.get('state') ?? '', ...parameters };
      return withParameters(asked.get('redirect_uri') as string, new URLSearchParams(back));
    };
  };
  answerWith({ code: canaryValue(), iss: issuer });
  return {
    issuer,
    codes,
    forms,
    answerWith,
    repeatAsScopes: () => {
      scopesOf = (form) => ({ scope: Object.values(form).join(' ') });
    },
    relayTo: ({ authorizeUrl, parameters }) => {
      leave = (asked) =>
        withParameters(authorizeUrl, new URLSearchParams({ ...Object.fromEntries(asked), ...parameters }));
    },
    close,
  };
}

function withParameters(address: string, parameters: URLSearchParams): URL {
  const url = new URL(address);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  return url;
}

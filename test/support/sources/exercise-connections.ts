import { IN_THIS_DATABASE, queryAsOwner } from '../database/owner-queries.js';
import { waitUntil } from '../database/test-jobs.js';
import type { HostileProvider } from '../identity/hostile-provider.js';
import { canaryValue } from '../secrets/canary-values.js';
import type { Client } from '../service/service.js';
import { CREDENTIAL_CHECKS } from '../vendors/credential-checks.js';
import { type FakeCredential, withWrongSecretValues } from '../vendors/fake-credential.js';
import { replyEcho, replyExpired, replyServerError } from '../vendors/vendor-responses.js';
import { type ConnectedWorkspace, connect, offerOf, validateCredential } from './connected-workspace.js';

export interface ExercisedSecrets {
  /** Values that no log, dump or response may contain. */
  readonly secret: Set<string>;
  /** Values that no log or dump may contain. Expected responses may contain them. */
  readonly shownOnce: Set<string>;
}

interface Use extends ConnectedWorkspace {
  readonly hostile: HostileProvider;
  readonly editor: Client;
}

/** Some credential tests and sign-ins succeed, and others fail. */
export async function exerciseConnections(use: Use): Promise<ExercisedSecrets> {
  const { vendor, provider, hostile } = use;
  const secret = new Set<string>();
  const shownOnce = new Set<string>();
  const keep = ({ secrets }: FakeCredential): void => {
    for (const text of secrets) secret.add(text);
  };
  const waysIn: [strategyKey: string, FakeCredential][] = [
    ...Object.entries(vendor.credentials),
    ['oauth2-auth-code-pkce', provider.credentials.client_secret_basic],
    ['oauth2-auth-code-pkce-private-key-jwt', provider.credentials.private_key_jwt],
  ];
  for (const [strategyKey, right] of waysIn) {
    const wrong = withWrongSecretValues(right);
    [right, wrong].forEach(keep);
    await fillAndTest(use, strategyKey, { right, wrong });
  }
  keep(provider.credentials.client_secret_post);
  for (const text of await signIn(use)) shownOnce.add(text);
  for (const text of await signInWithThief(use)) secret.add(text);
  const lost = withWrongSecretValues(vendor.credentials.bearer);
  keep(lost);
  await connectWithoutDatabase(use, lost);
  for (const text of [...vendor.tokens.texts, ...provider.tokenTexts()]) secret.add(text);
  for (const { code_verifier, refresh_token } of hostile.forms)
    for (const text of [code_verifier, refresh_token]) if (text) secret.add(text);
  for (const text of shownOnce) secret.delete(text);
  return { secret, shownOnce };
}

const HISTORY = `query ($id: Base62Id!) { tenantConnectorInstance(id: $id) {
  authenticationConfig connectionStatusMessage
  credentials { status message identity grantedScopes missingScopes validations { message details } } } }`;

async function fillAndTest(
  { vendor, editor }: Use,
  strategyKey: string,
  { right, wrong }: { right: FakeCredential; wrong: FakeCredential },
): Promise<void> {
  const created = await connect(editor, connectorOf(strategyKey), right, { strategyKey });
  if (created.status !== 200) throw new Error(`${strategyKey}: ${created.text}`);
  let current = created.body.data;
  const configure = async ({ authenticationConfig, ingestionConfig = {} }: FakeCredential) => {
    const body = { instanceId: current.id, authenticationConfig, ingestionConfig };
    current = (await editor.post('/api/connectors/configure', body, { 'idempotency-key': canaryValue() })).body.data;
  };
  await validateCredential(editor, current);
  for (const behaviour of [replyEcho(200), replyEcho(401), replyExpired(), replyServerError()]) {
    vendor.behave('*', behaviour);
    await validateCredential(editor, current);
    vendor.recover();
  }
  await configure(wrong);
  await validateCredential(editor, current);
  vendor.behave('*', replyEcho(400));
  await configure(right);
  await validateCredential(editor, current);
  vendor.recover();
  await editor.graphql(HISTORY, { id: current.id });
  await editor.request(`/api/vendors/tenant-connector-credential-detail?instanceId=${current.id}`);
}

/** The key of the strategy starts with the key of the connector. */
function connectorOf(strategyKey: string): string {
  const keys = Object.keys(CREDENTIAL_CHECKS).filter((key) => strategyKey.startsWith(key));
  return keys.sort((one, other) => other.length - one.length)[0] as string;
}

/**
 * Completes a sign-in, and then sends its state again with an invalid code. Returns the state, the cookie value and the
 * code of the sign-in, which only a few expected responses may contain.
 */
async function signIn({ provider, editor }: Use): Promise<string[]> {
  const strategyKey = 'oauth2-auth-code-pkce-client-secret-post';
  const credential = provider.credentials.client_secret_post;
  const { id: instanceId } = (await connect(editor, 'oauth2-auth-code-pkce', credential, { strategyKey })).body.data;
  const { headers, body } = await editor.post('/api/connectors/connector-oauth-start', { instanceId });
  const { authorizeUrl, state } = body.data;
  await provider.allowRedirect(new URL(authorizeUrl).searchParams.get('redirect_uri') as string);
  const back = await provider.authorize(authorizeUrl);
  const [cookie = ''] = headers.getSetCookie().map((line) => line.split(';')[0] as string);
  await editor.request(back.pathname + back.search); // Without the cookie, the page asks for confirmation.
  const page = await editor.request(back.pathname + back.search, { headers: { cookie } });
  if (!page.text.includes('accepts')) throw new Error(page.text);
  const { body: instance } = await editor.request(`/api/vendors/tenant-connector-instances/${instanceId}`);
  provider.expireAccessTokens();
  await validateCredential(editor, instance.data);
  await editor.post('/api/connectors/connector-oauth-complete', { state, code: canaryValue() });
  return [state, cookie.split('=')[1] as string, back.searchParams.get('code') as string];
}

/** Signs in with the hostile authorization server, which returns the submitted form as granted scopes. */
async function signInWithThief({ hostile, editor }: Use): Promise<string[]> {
  const [code, clientSecret] = [canaryValue(), canaryValue()];
  hostile.echoFormAsScopes();
  const credential = { authenticationConfig: { clientId: 'thief', clientSecret }, secrets: [clientSecret] };
  const { id: instanceId } = (await connect(editor, 'hostile', credential)).body.data;
  const start = await editor.post('/api/connectors/connector-oauth-start', { instanceId });
  const { state } = start.body.data;
  const reply = await editor.post('/api/connectors/connector-oauth-complete', { state, code });
  if (reply.status !== 200) throw new Error(reply.text);
  return [code, clientSecret];
}

/** Terminates the database session during the transaction that writes the credential. */
async function connectWithoutDatabase({ service, editor }: Use, credential: FakeCredential): Promise<void> {
  const { authenticationConfig } = credential;
  const offer = await offerOf(editor, 'bearer');
  const { status, text } = await withConnectionLoss(service, 'sealed_credential', () =>
    editor.post('/api/connectors', { ...offer, authenticationConfig }),
  );
  if (status !== 503) throw new Error(`${status}: ${text}`);
}

/** Runs an operation that writes to `table`. While the operation waits for a lock, terminates its database session. */
export async function withConnectionLoss<Result>(
  service: { databaseUrl: string },
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const lock = `begin; lock table ${table} in exclusive mode; select pg_sleep(60); commit`;
  const locks = `from pg_locks where ${IN_THIS_DATABASE} and relation = '${table}'::regclass`;
  const held = `${locks} and mode = 'ExclusiveLock' and granted`;
  const terminate = (which: string) => queryAsOwner(service, `select pg_terminate_backend(pid) ${which}`);
  const holding = queryAsOwner(service, lock).catch(() => undefined);
  await waitUntil(async () => (await queryAsOwner(service, `select ${held}`)).length > 0);
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  // Terminates waiting sessions until the operation has failed, because the first waiting session may belong to a
  // background job.
  await waitUntil(async () => {
    await terminate(`${locks} and not granted`);
    return isOver;
  });
  await terminate(held);
  await holding;
  return working;
}

export async function terminateDatabaseConnections(service: { databaseUrl: string }): Promise<void> {
  const others = 'datname = current_database() and pid <> pg_backend_pid()';
  await queryAsOwner(service, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
}

import { AppError } from '../../kernel/errors.js';
import { decodeId } from '../../kernel/ids.js';
import { OutboundError } from '../../kernel/outbound/outbound-error.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { waitForTimingFloor } from '../../sources/calls/timing-floor.js';
import type { Connection } from '../../sources/connection.js';
import { ConnectionConfigError } from '../../sources/connection-config-error.js';
import { connectionSecretsOf } from '../../sources/connection-secrets.js';
import { exchangeCode, issuerMatches } from '../../sources/methods/oauth2-auth-code-pkce.js';
import { scopeDetailsOf } from '../../sources/responses/granted-scopes.js';
import { TokenExchangeError } from '../../sources/responses/token-exchange-error.js';
import type { Session } from '../../sources/session.js';
import { requestedScopesOf } from '../../sources/sessions/requested-scopes.js';
import type { CredentialMetadata } from '../credential-metadata.js';
import type { CredentialValidation } from '../credential-validation.js';
import { commitSealedSecrets } from '../credentials/commit-sealed-secrets.js';
import type { ConnectionContext } from '../credentials/connection-context.js';
import { loadConnection, openSubmittedSecrets } from '../credentials/load-connection.js';
import { sealCredential } from '../credentials/seal-credential.js';
import { submitCredential } from '../credentials/submit-credential.js';
import { lockInstance, requireCurrentCredential } from '../find-instance.js';
import { hashFlowSecret } from './flow-secret.js';
import type { OAuthCompleteArgs } from './oauth-flow.inputs.js';
import { IS_OPEN_FLOW, OAuthFlow, verifierLocation } from './oauth-flow.js';

declare module '../../kernel/errors.js' {
  interface ErrorCodes {
    OAUTH_STATE_INVALID: true;
    OAUTH_REFUSED: true;
  }
}

export interface CompletedOAuthFlow {
  readonly instanceId: string;
  readonly credentialMetadataId: string;
  readonly grantedScopes?: readonly string[];
  readonly missingScopes?: readonly string[];
  readonly validation: Lean<CredentialValidation>;
}

const VENDOR_FAILURES = [TokenExchangeError, OutboundError, ConnectionConfigError];

/** A single statement, so that only one of two concurrent requests with the same state succeeds. */
const CONSUME_FLOW = `
update oauth_flow set used_at = now()
where tenant_id = $1 and state_hash = $2 and started_by = $3 and ${IS_OPEN_FLOW}
returning id`;

const SELECT_FLOW_OF_OTHER_CALLER = `
select id from oauth_flow
where tenant_id = $1 and state_hash = $2 and started_by <> $3 and ${IS_OPEN_FLOW}`;

/** Consumes the state, even if the vendor has rejected the sign-in or the exchange fails. */
export async function completeOAuthFlow(
  context: ConnectionContext,
  args: OAuthCompleteArgs,
): Promise<CompletedOAuthFlow> {
  const { caller, connections, requestId } = context;
  if (!args.code && !args.error) throw new AppError('BAD_REQUEST', 'Either code or error is required.');
  const flow = await consumeFlow(context, args.state);
  if (args.error || !args.code) throw oauthRefusedError('The sign-in at the vendor failed or was cancelled');
  const connection = await loadConnection(context.read, connections.secrets, caller.tenantId, flow.credential);
  const { session, secrets } = await exchangeForTokens(context, flow, connection, { ...args, code: args.code });
  const scopes = scopeDetailsOf(session.scopes ?? flow.scopes, { requested: flow.scopes, secrets });
  const credentialMetadataId = await saveGrant(context, flow, connection, { session, scopes });
  const data = { tenantId: caller.tenantId, credentialId: credentialMetadataId, trigger: 'signed_in' } as const;
  const validation = await connections.credentialTester.test(data, requestId);
  return { instanceId: flow.instance, credentialMetadataId, ...scopes, validation };
}

async function consumeFlow({ read, caller }: ConnectionContext, state: string): Promise<Lean<OAuthFlow>> {
  const values = [decodeId(caller.tenantId), hashFlowSecret(state), decodeId(caller.id)];
  const [consumed] = await read.rows(CONSUME_FLOW, values);
  if (!consumed) {
    const [foreign] = await read.rows(SELECT_FLOW_OF_OTHER_CALLER, values);
    if (foreign) throw new AppError('FORBIDDEN', 'Another user or API key started this sign-in. Start a new sign-in.');
    throw new AppError(
      'OAUTH_STATE_INVALID',
      'The parameter `state` is unknown, already used, or older than 10 minutes. Start the sign-in again.',
    );
  }
  const [flow] = await read.select(OAuthFlow, { where: 'state_hash = $1', limit: 1 }, [hashFlowSecret(state)]);
  return flow as Lean<OAuthFlow>;
}

/** The returned `secrets` are all secrets that responses of the vendor could repeat. */
async function exchangeForTokens(
  { caller, connections, requestId }: ConnectionContext,
  flow: Lean<OAuthFlow>,
  connection: Connection,
  { code, params }: OAuthCompleteArgs & { code: string },
): Promise<{ session: Session; secrets: string[] }> {
  const location = verifierLocation(caller.tenantId, flow.id);
  const { codeVerifier } = (await connections.secrets.open(location, flow.verifier)) as { codeVerifier: string };
  // The stored copy is no longer needed, because a verifier is valid for one code.
  await connections.secrets.destroy(location, flow.verifier).catch(() => undefined);
  const begun = performance.now();
  try {
    const { iss } = params ?? {};
    if (iss !== undefined && !issuerMatches(connection, String(iss)))
      throw oauthRefusedError(
        'The parameter iss of the sign-in response does not match the issuer that is defined for the vendor',
      );
    const given = { code, codeVerifier, redirectUri: flow.redirectUri, params: params ?? {} };
    const isNarrowed = requestedScopesOf(connection).some((scope) => !flow.scopes.includes(scope));
    const session: Session = {
      ...(await exchangeCode(connection, connections.sendFor(requestId), given)),
      ...(isNarrowed && { requestedScopes: flow.scopes }),
    };
    return { session, secrets: [...connectionSecretsOf(connection, [session]), code, codeVerifier] };
  } catch (cause) {
    if (!VENDOR_FAILURES.some((failure) => cause instanceof failure)) throw cause;
    if (cause instanceof OutboundError) await waitForTimingFloor(begun);
    throw oauthRefusedError('The vendor issued no tokens for the authorization code', cause);
  }
}

/** Throws CONFLICT if the credential record of the sign-in is no longer the current record. */
async function saveGrant(
  context: ConnectionContext,
  flow: Lean<OAuthFlow>,
  { strategy }: Connection,
  { session, scopes }: { session: Session; scopes: ReturnType<typeof scopeDetailsOf> },
): Promise<string> {
  const { read, caller, connections } = context;
  const { secrets } = connections;
  const opened = await openSubmittedSecrets(read, secrets, caller.tenantId, flow.credential);
  const credential = await sealCredential(secrets, caller.tenantId, { strategy }, { secrets: opened, session });
  await commitSealedSecrets(context, credential.sealedSecrets, async (tx) => {
    const instance = await lockInstance(tx, flow.instance);
    await requireCurrentCredential(tx, flow.instance, flow.credential);
    const record = await submitCredential(tx, secrets, instance, flow.credential, credential);
    tx.update(record, scopes as Partial<CredentialMetadata>);
    tx.recordAudit('oauth_flow.completed', record, { instanceId: flow.instance });
  });
  return credential.id;
}

function oauthRefusedError(what: string, cause?: unknown): AppError {
  return new AppError('OAUTH_REFUSED', `${what}. Start the sign-in again.`, { cause });
}

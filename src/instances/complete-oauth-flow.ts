import { AppError } from '../kernel/errors.js';
import { decodeId } from '../kernel/ids.js';
import { OutboundError } from '../kernel/outbound-error.js';
import type { Lean } from '../kernel/reading.js';
import type { Connection } from '../sources/connection.js';
import { ConnectionFault } from '../sources/connection-fault.js';
import { ExchangeRefused } from '../sources/exchange-refused.js';
import { scopeDetails } from '../sources/granted-scopes.js';
import { exchangeCode, issuerMatches } from '../sources/oauth2-auth-code-pkce.js';
import { requestedScopes } from '../sources/requested-scopes.js';
import { secretsInUse } from '../sources/secrets-in-use.js';
import type { Session } from '../sources/session.js';
import { waitForFloor } from '../sources/timing-floor.js';
import type { ConnectionContext } from './connection-context.js';
import type { CredentialMetadata } from './credential-metadata.js';
import type { CredentialValidation } from './credential-validation.js';
import { lockInstance, requireCurrent } from './existing-instance.js';
import { loadConnection, openConfig } from './load-connection.js';
import type { OAuthCompleteArgs } from './oauth-flow.inputs.js';
import { IS_OPEN, OAuthFlow, verifierPlace } from './oauth-flow.js';
import { hashOf } from './oauth-secret.js';
import { sealCredential } from './seal-credential.js';
import { submitCredential } from './submit-credential.js';
import { writeSealed } from './write-sealed.js';

export interface CompletedFlow {
  readonly instanceId: string;
  readonly credentialMetadataId: string;
  readonly grantedScopes?: readonly string[];
  readonly missingScopes?: readonly string[];
  readonly validation: Lean<CredentialValidation>;
}

const VENDOR_FAILURES = [ExchangeRefused, OutboundError, ConnectionFault];

/** One statement, so that of two who bring the same state one alone gets through. */
const CONSUME = `
update oauth_flow set used_at = now()
where tenant_id = $1 and state_hash = $2 and started_by = $3 and ${IS_OPEN}
returning id`;

const OF_SOMEBODY_ELSE = `
select id from oauth_flow
where tenant_id = $1 and state_hash = $2 and started_by <> $3 and ${IS_OPEN}`;

/** Ends a sign-in: trades the code for tokens and tests them. The state is used up whatever comes of it. */
export async function completeOAuthFlow(context: ConnectionContext, args: OAuthCompleteArgs): Promise<CompletedFlow> {
  const { caller, connections, requestId } = context;
  if (!args.code && !args.error) throw new AppError('BAD_REQUEST', 'code is missing, and so is error.');
  const flow = await consumeFlow(context, args.state);
  if (args.error || !args.code) throw refused('The vendor refused the sign-in');
  const connection = await loadConnection(context.read, connections.secrets, caller.tenantId, flow.credential);
  const { session, secrets } = await trade(context, flow, connection, { ...args, code: args.code });
  const scopes = scopeDetails(session.scopes ?? flow.scopes, { requested: flow.scopes, secrets });
  const credentialMetadataId = await keepGrant(context, flow, connection, { session, scopes });
  const data = { tenantId: caller.tenantId, credentialId: credentialMetadataId, trigger: 'signed_in' } as const;
  const validation = await connections.tests.test(data, requestId);
  return { instanceId: flow.instance, credentialMetadataId, ...scopes, validation };
}

async function consumeFlow({ read, caller }: ConnectionContext, state: string): Promise<Lean<OAuthFlow>> {
  const values = [decodeId(caller.tenantId), hashOf(state), decodeId(caller.id)];
  const [consumed] = await read.rows(CONSUME, values);
  if (!consumed) {
    const [foreign] = await read.rows(OF_SOMEBODY_ELSE, values);
    if (foreign) throw new AppError('FORBIDDEN', 'Somebody else started this sign-in.');
    throw new AppError('OAUTH_STATE_INVALID', 'The state is unknown, used or older than 10 minutes; start again.');
  }
  const [flow] = await read.select(OAuthFlow, { where: 'state_hash = $1', limit: 1 }, [hashOf(state)]);
  return flow as Lean<OAuthFlow>;
}

/** `secrets` are all that the vendor saw or gave meanwhile, and could repeat. */
async function trade(
  { caller, connections, requestId }: ConnectionContext,
  flow: Lean<OAuthFlow>,
  connection: Connection,
  { code, params }: OAuthCompleteArgs & { code: string },
): Promise<{ session: Session; secrets: string[] }> {
  const place = verifierPlace(caller.tenantId, flow.id);
  const { codeVerifier } = (await connections.secrets.open(place, flow.verifier)) as { codeVerifier: string };
  await connections.secrets.destroy(place, flow.verifier).catch(() => undefined); // good for one code alone
  const begun = performance.now();
  try {
    const { iss } = params ?? {};
    if (iss !== undefined && !issuerMatches(connection, String(iss)))
      throw refused('The answer comes from another issuer');
    const given = { code, codeVerifier, redirectUri: flow.redirectUri, params: params ?? {} };
    const isNarrowed = requestedScopes(connection).some((scope) => !flow.scopes.includes(scope));
    const session: Session = {
      ...(await exchangeCode(connection, connections.sendFor(requestId), given)),
      ...(isNarrowed && { requestedScopes: flow.scopes }),
    };
    return { session, secrets: [...secretsInUse(connection, [session]), code, codeVerifier] };
  } catch (cause) {
    if (!VENDOR_FAILURES.some((failure) => cause instanceof failure)) throw cause;
    if (cause instanceof OutboundError) await waitForFloor(begun);
    throw refused('The vendor did not take the code', cause);
  }
}

/** A new record with the config of the one before it, which must still be the current one. */
async function keepGrant(
  context: ConnectionContext,
  flow: Lean<OAuthFlow>,
  { strategy }: Connection,
  { session, scopes }: { session: Session; scopes: ReturnType<typeof scopeDetails> },
): Promise<string> {
  const { read, caller, connections } = context;
  const { secrets } = connections;
  const opened = await openConfig(read, secrets, caller.tenantId, flow.credential);
  const credential = await sealCredential(secrets, caller.tenantId, { strategy }, { secrets: opened, session });
  await writeSealed(context, credential.places, async (tx) => {
    const instance = await lockInstance(tx, flow.instance);
    await requireCurrent(tx, flow.instance, flow.credential);
    const record = await submitCredential(tx, secrets, instance, flow.credential, credential);
    tx.change(record, scopes as Partial<CredentialMetadata>);
    tx.record('oauth_flow.completed', record, { instanceId: flow.instance });
  });
  return credential.id;
}

function refused(what: string, cause?: unknown): AppError {
  return new AppError('OAUTH_REFUSED', `${what}; start again.`, { cause });
}

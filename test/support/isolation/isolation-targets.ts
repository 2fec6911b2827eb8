import { decodeId, encodeId, newId } from '../../../src/kernel/ids.js';
import { IS_SOAK } from '../soak.js';
import type { IsolationRequest } from './isolation-calls.js';
import type { IsolationOutcome } from './isolation-cases.js';
import type { TenantRows } from './tenant-rows.js';
import type { IsolationWorkspace, ObjectKind } from './workspace-fixtures.js';

export interface IsolationTarget {
  readonly name: string;
  readonly id: string;
  readonly outcome: IsolationOutcome;
  readonly variables: object;
  readonly isMalformed: boolean;
  /** Whether the response may repeat the id. */
  readonly isRepeated: boolean;
  /** Name of a target whose response must be equal to the response for this target. */
  readonly sameAs?: string;
}

export function listTarget(
  { theCase: { names, variables = () => ({}) } }: IsolationRequest,
  workspace: IsolationWorkspace,
): IsolationTarget {
  return {
    ...{ name: 'all', id: '', outcome: 'ok', isMalformed: false, isRepeated: false },
    variables: names ? { limit: 250 } : variables('', workspace, ''),
  };
}

/** Selects one foreign id and one missing id, both well-formed. A field without an id has a single target. */
export function isForeignOrMissing(
  { name }: IsolationTarget,
  _: number,
  { length }: readonly IsolationTarget[],
): boolean {
  return length === 1 || name === 'foreign 1' || name === 'never existed';
}

/** Keeps one kind of malformed id, because the service rejects malformed ids before any isolation check. */
export function withOneMalformedId(targets: readonly IsolationTarget[]): IsolationTarget[] {
  return targets.filter(({ name, isMalformed }) => !isMalformed || name.endsWith(', with a 0 before it'));
}

export function sampleTargets(targets: readonly IsolationTarget[]): IsolationTarget[] {
  return targets.filter(({ name }) =>
    /^(own|foreign 1|foreign|never existed)(, ended|, with a 0 before it)?$/.test(name),
  );
}

/**
 * Expected outcome for a caller without access, whose requests fail with `refusal`. GraphQL validates ids before it
 * checks access. REST checks access first, unless `theCase.otherwise` is set.
 */
export function outcomeForStranger(
  { theCase, isRest }: IsolationRequest,
  target: IsolationTarget,
  refusal: IsolationOutcome,
): IsolationOutcome {
  const { isPublic, otherwise, malformed } = theCase;
  if (isPublic) return target.outcome;
  const isAnswered = otherwise !== undefined && refusal !== 'UNAUTHENTICATED';
  const validatesFirst = !isRest || isAnswered;
  if (validatesFirst && target.isMalformed && !malformed) return 'BAD_REQUEST';
  return isAnswered ? otherwise : refusal;
}

const TABLES: Partial<Record<ObjectKind, string>> = {
  ...{ user: 'user', role: 'role', invitation: 'invitation', apiKey: 'api_key', connectorRequest: 'connector_request' },
  ...{ instance: 'tenant_connector_instance', credential: 'credential_metadata', artifact: 'artifact' },
  ...{ inferredArtifact: 'artifact', tap: 'tenant_connector_tap', table: 'catalog_table', ingestToken: 'ingest_token' },
  ...{ contract: 'table_contract', incompleteInstance: 'tenant_connector_instance', sync: 'sync_job' },
};

/**
 * Returns at least one target per kind of id. The last target is an object of our workspace. The request may change
 * this object, so the function creates a new object, unless `isKept` is true.
 */
export async function targetsOf(
  call: IsolationRequest,
  ours: IsolationWorkspace,
  theirs: IsolationWorkspace,
  rows: TenantRows,
  { isKept = false, hasAllForeign = IS_SOAK } = {},
): Promise<IsolationTarget[]> {
  const { names: kind, variables = () => ({}), ended = 'ok', malformed = 'BAD_REQUEST', ...theCase } = call.theCase;
  const other = (await theCase.other?.(ours)) ?? '';
  const isNeverAbsent = !call.isRest || theCase.otherwise === 'null';
  const missing = isNeverAbsent ? (theCase.missing ?? 'NOT_FOUND') : absent(theCase.missing);
  const targets: IsolationTarget[] = [];
  const add = (name: string, id: string, outcome: IsolationOutcome, rest: Partial<IsolationTarget> = {}) =>
    targets.push({
      ...{ name, id, outcome, variables: variables(id, ours, other), isMalformed: false },
      ...{ isRepeated: Boolean(rest.isMalformed || theCase.isRepeated), ...rest },
    });

  if (kind) {
    const never = newId();
    const wrong = call.isRest && malformed === 'null' ? missing : malformed;
    add('never existed', never, missing);
    if (ours.ended[kind]) add('own, ended', ours.ended[kind], isNeverAbsent ? ended : absent(ended));
    const allForeign = await foreignIds(kind, theirs, rows);
    const foreign = hasAllForeign ? allForeign : allForeign.slice(0, MAX_FOREIGN);
    for (const [at, id] of foreign.entries()) add(`foreign ${at + 1}`, id, missing, { sameAs: 'never existed' });
    for (const [name, malform] of Object.entries(MALFORMED_IDS)) {
      add(`never existed, ${name}`, malform(never), wrong, { isMalformed: true });
      add(`foreign, ${name}`, malform(foreign[0] as string), wrong, {
        isMalformed: true,
        sameAs: `never existed, ${name}`,
      });
    }
  }
  add('own', kind ? await (isKept ? ours.live[kind] : aFresh(kind, ours)) : '', 'ok');
  return targets;
}

/** REST returns 404 instead of null. */
function absent(missing: IsolationOutcome = 'NOT_FOUND'): IsolationOutcome {
  return missing === 'null' ? 'NOT_FOUND' : missing;
}

/** Returns a new object if requests change objects of this kind, and otherwise the live object. */
async function aFresh(kind: ObjectKind, { make, live }: IsolationWorkspace): Promise<string> {
  if (kind === 'role') return make.role();
  if (kind === 'invitation') return make.invitation();
  if (kind === 'apiKey') return (await make.apiKey()).id;
  if (kind === 'connectorRequest') return make.connectorRequest();
  if (kind === 'instance') return make.connections.scheduledConnection();
  if (kind === 'sync') return make.connections.sync(await make.connections.connection());
  if (kind === 'incompleteInstance') return make.incompleteInstance();
  if (kind === 'credential') return make.connections.credential();
  if (kind === 'artifact') return make.artifact();
  if (kind === 'inferredArtifact') return make.tables.inferredArtifact();
  if (kind === 'tap') return make.tables.tap();
  if (kind === 'ingestToken') return (await make.tables.ingestToken(await make.tables.tap())).id;
  if (kind === 'state') return make.connections.signIn(await make.connections.connection());
  return live[kind];
}

/**
 * Maximum number of foreign ids per kind. The first id belongs to a live object, and the second to an ended object,
 * such as a deleted one.
 */
const MAX_FOREIGN = 5;

/** Excludes the taps of connections, because they are numerous and similar. */
const PUBLISHED = 'attributed_artifact_id is not null';

/**
 * Returns all ids of the kind in the other workspace, including ended objects. For kinds that workspaces share, such
 * as connectors, returns ids of other kinds.
 */
async function foreignIds(
  kind: ObjectKind,
  { live, ended, tenantId, slug }: IsolationWorkspace,
  rows: TenantRows,
): Promise<string[]> {
  const table = TABLES[kind];
  if (table) {
    const ids = await rows.ids(table, decodeId(tenantId) as string, kind === 'tap' ? PUBLISHED : 'true');
    return [...new Set([live[kind], ended[kind] as string, ...ids])];
  }
  if (kind === 'syncedTap') return [live[kind]];
  if (kind === 'state' || kind === 'series') return [live[kind], ended[kind] as string];
  if (kind === 'vendor') return [slug, tenantId];
  return [...Object.keys(TABLES).map((other) => live[other as ObjectKind]), tenantId];
}

/** The service accepts only the canonical notation of an id. */
const MALFORMED_IDS: Record<string, (id: string) => string> = {
  'with a 0 before it': (id) => `0${id}`,
  'with its first character cut off': (id) => id.slice(1),
  'with 2^128 added': (id) => inBase62(BigInt(`0x${uuidOf(id).replaceAll('-', '')}`) + 2n ** 128n),
  'as another version of UUID': (id) => encodeId(uuidOf(id).replace(/(?<=^.{14})4/, '1')),
  'as UUID': uuidOf,
  'with a space after it': (id) => `${id} `,
  'as no id': () => 'no-id-at-all!',
};

/** For a string that is not an id, such as a slug, returns an arbitrary UUID. */
function uuidOf(id: string): string {
  return decodeId(id) ?? '01234567-89ab-4cde-8f01-23456789abcd';
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function inBase62(value: bigint): string {
  return value === 0n ? '' : inBase62(value / 62n) + DIGITS[Number(value % 62n)];
}

import { decodeId, encodeId, newId } from '../../../src/kernel/ids.js';
import type { IsolationRequest } from './isolation-calls.js';
import type { IsolationOutcome } from './isolation-cases.js';
import type { TenantRows } from './tenant-rows.js';
import type { IsolationWorkspace, ObjectKind } from './workspace-fixtures.js';

/** Something that an id may be about, and what comes of asking for it. */
export interface IsolationTarget {
  readonly name: string;
  readonly id: string;
  readonly outcome: IsolationOutcome;
  readonly variables: object;
  /** The text is no id. */
  readonly isMalformed: boolean;
  /** A reply may say it again. */
  readonly isRepeated: boolean;
  /** The target that never existed and must not be told from this one. */
  readonly twin?: string;
}

/** All that a field lists, also where it takes an id of what to list alone. */
export function listTarget(
  { theCase: { names, variables = () => ({}) } }: IsolationRequest,
  world: IsolationWorkspace,
): IsolationTarget {
  return {
    ...{ name: 'all', id: '', outcome: 'ok', isMalformed: false, isRepeated: false },
    variables: names ? { limit: 250 } : variables('', world, ''),
  };
}

/** An object of the other workspace and one that never was, spelt as they should be; where no id is taken, all there is. */
export function isForeignOrMissing(
  { name }: IsolationTarget,
  _: number,
  { length }: readonly IsolationTarget[],
): boolean {
  return length === 1 || name === 'foreign 1' || name === 'never existed';
}

/** What is no id is seen as such before any wall is asked: behind the lower one alone, one other spelling will do. */
export function withOneMalformedId(targets: readonly IsolationTarget[]): IsolationTarget[] {
  return targets.filter(({ name, isMalformed: isUnspelt }) => !isUnspelt || name.endsWith(', with a 0 before it'));
}

/** Where nobody is let in, one target of each sort will do. */
export function sampleTargets(targets: readonly IsolationTarget[]): IsolationTarget[] {
  return targets.filter(({ name }) =>
    /^(own|foreign 1|foreign|never existed)(, ended|, with a 0 before it)?$/.test(name),
  );
}

/**
 * What somebody is told who is not let in and would be refused with `refusal`. Ids are looked at before that over GraphQL, and over
 * REST where a caller who is known is answered all the same.
 */
export function outcomeForStranger(
  { theCase, isRest }: IsolationRequest,
  target: IsolationTarget,
  refusal: IsolationOutcome,
): IsolationOutcome {
  const { isPublic, otherwise, unspelt } = theCase;
  if (isPublic) return target.outcome;
  const isAnswered = otherwise !== undefined && refusal !== 'UNAUTHENTICATED';
  const isRead = !isRest || isAnswered;
  if (isRead && target.isMalformed && !unspelt) return 'BAD_REQUEST';
  return isAnswered ? otherwise : refusal;
}

const TABLES: Partial<Record<ObjectKind, string>> = {
  ...{ user: 'user', role: 'role', invitation: 'invitation', apiKey: 'api_key', connectorRequest: 'connector_request' },
  ...{ instance: 'tenant_connector_instance', credential: 'credential_metadata', artifact: 'artifact' },
  ...{ inferredArtifact: 'artifact', tap: 'tenant_connector_tap', table: 'catalog_table', ingestToken: 'ingest_token' },
  ...{ contract: 'table_contract', incompleteInstance: 'tenant_connector_instance' },
};

/**
 * Of all kinds of objects one or more, each with the arguments that name it. The own one is the last, and made anew where something may
 * become of it.
 */
export async function targetsOf(
  call: IsolationRequest,
  ours: IsolationWorkspace,
  theirs: IsolationWorkspace,
  rows: TenantRows,
  { isKept = false } = {},
): Promise<IsolationTarget[]> {
  const { names: kind, variables = () => ({}), ended = 'ok', unspelt = 'BAD_REQUEST', ...theCase } = call.theCase;
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
    const wrong = call.isRest && unspelt === 'null' ? missing : unspelt;
    add('never existed', never, missing);
    if (ours.ended[kind]) add('own, ended', ours.ended[kind], isNeverAbsent ? ended : absent(ended));
    const foreign = await foreignIds(kind, theirs, rows);
    for (const [at, id] of foreign.entries()) add(`foreign ${at + 1}`, id, missing, { twin: 'never existed' });
    for (const [name, spell] of Object.entries(MISSPELT)) {
      add(`never existed, ${name}`, spell(never), wrong, { isMalformed: true });
      add(`foreign, ${name}`, spell(foreign[0] as string), wrong, {
        isMalformed: true,
        twin: `never existed, ${name}`,
      });
    }
  }
  add('own', kind ? await (isKept ? ours.live[kind] : aFresh(kind, ours)) : '', 'ok');
  return targets;
}

/** A null is a 404 over REST, but where strangers are answered null as well. */
function absent(missing: IsolationOutcome = 'NOT_FOUND'): IsolationOutcome {
  return missing === 'null' ? 'NOT_FOUND' : missing;
}

/** A new one, so that what is asked of it can be done. */
async function aFresh(kind: ObjectKind, { make, live }: IsolationWorkspace): Promise<string> {
  if (kind === 'role') return make.role();
  if (kind === 'invitation') return make.invitation();
  if (kind === 'apiKey') return (await make.apiKey()).id;
  if (kind === 'connectorRequest') return make.connectorRequest();
  if (kind === 'instance') return make.connections.connection();
  if (kind === 'incompleteInstance') return make.incompleteInstance();
  if (kind === 'credential') return make.connections.credential();
  if (kind === 'artifact') return make.artifact();
  if (kind === 'inferredArtifact') return make.tables.inferredArtifact();
  if (kind === 'tap') return make.tables.tap();
  if (kind === 'ingestToken') return (await make.tables.ingestToken(await make.tables.tap())).id;
  if (kind === 'state') return make.connections.signIn(await make.connections.connection());
  return live[kind];
}

/** Taps of connections are all alike, and many. */
const PUBLISHED = 'attributed_artifact_id is not null';

/** Everything of this kind in the other workspace, ended things too; of what belongs to all, its own ids of other kinds. */
async function foreignIds(
  kind: ObjectKind,
  { live, ended, tenantId, slug }: IsolationWorkspace,
  rows: TenantRows,
): Promise<string[]> {
  const table = TABLES[kind];
  if (table) {
    const ids = await rows.ids(table, decodeId(tenantId) as string, kind === 'tap' ? PUBLISHED : 'true');
    return [...new Set([...ids, live[kind], ended[kind] as string])];
  }
  if (kind === 'state' || kind === 'series') return [live[kind], ended[kind] as string];
  if (kind === 'vendor') return [slug, tenantId];
  return [...Object.keys(TABLES).map((other) => live[other as ObjectKind]), tenantId];
}

/** Other spellings of an id. Only one is right, so each of these is none. */
const MISSPELT: Record<string, (id: string) => string> = {
  'with a 0 before it': (id) => `0${id}`,
  'with its first character cut off': (id) => id.slice(1),
  'with 2^128 added': (id) => inBase62(BigInt(`0x${uuidOf(id).replaceAll('-', '')}`) + 2n ** 128n),
  'as another version of UUID': (id) => encodeId(uuidOf(id).replace(/(?<=^.{14})4/, '1')),
  'as UUID': uuidOf,
  'with a space after it': (id) => `${id} `,
  'as no id': () => 'no-id-at-all!',
};

/** Of what is no id itself, such as a slug, that of some id. */
function uuidOf(id: string): string {
  return decodeId(id) ?? '01234567-89ab-4cde-8f01-23456789abcd';
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function inBase62(value: bigint): string {
  return value === 0n ? '' : inBase62(value / 62n) + DIGITS[Number(value % 62n)];
}

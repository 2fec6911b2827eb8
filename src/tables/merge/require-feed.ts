import { Connector } from '../../catalog/model/connector.js';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { isMergedMode } from '../../catalog/model/table-mode.js';
import { TenantConnectorTap } from '../../instances/tenant-connector-tap.js';
import { AppError } from '../../kernel/errors.js';
import type { Lean, Reader } from '../../kernel/reading/reader.js';
import { readTap } from '../existing-tap.js';
import { schemaOfTap } from '../records/record-schema.js';
import { nextModeOf } from './next-mode.js';

type Definition = Lean<ConnectorTap>;

/**
 * Throws CONFLICT if the records of a tap cannot be merged into the table of another tap, and NOT_FOUND if the other
 * tap does not exist.
 */
export async function requireFeed(read: Reader, tap: Lean<TenantConnectorTap>, targetId: string): Promise<void> {
  const target = await readTap(read, targetId);
  const definitionOf = async (of: Lean<TenantConnectorTap>) =>
    (of.tap && (await read.byId(ConnectorTap, of.tap))) || undefined;
  const [own, other] = [await definitionOf(tap), await definitionOf(target)];
  if (!own || !other) throw conflict('Both the feeding tap and the fed tap must be taps of connections.');
  if (target.id === tap.id) throw conflict('A tap cannot feed itself.');
  if (target.feedsTapId || (await feedersOf(read, tap.id)).length > 0)
    throw conflict('A tap cannot both feed a tap and be fed by a tap.');
  if (!isMergedMode(await nextModeOf(read, target, other)))
    throw conflict('The mode of the fed tap must be upsert or history.');
  const fault = own.feeds ? await namedFault(read, own, other) : shapeFault(own, other);
  if (fault) throw conflict(fault);
}

/** Throws CONFLICT with `reason` if other taps feed the tap. */
export async function requireNoFeeders(read: Reader, id: string, reason: string): Promise<void> {
  if ((await feedersOf(read, id)).length > 0) throw conflict(reason);
}

async function feedersOf(read: Reader, id: string): Promise<readonly unknown[]> {
  return read.many(TenantConnectorTap, 'feedsTapId', id);
}

async function namedFault(read: Reader, own: Definition, other: Definition): Promise<string | undefined> {
  const [from, to] = [await read.byId(Connector, own.connector), await read.byId(Connector, other.connector)];
  if (other.name === own.feeds?.tap && from?.vendor === to?.vendor) return undefined;
  return `The definition of the feeding tap allows only one fed tap: "${own.feeds?.tap}" of the vendor of the feeding tap.`;
}

function shapeFault(own: Definition, other: Definition): string | undefined {
  const keyOf = ({ responseExtraction: { primaryKey, syntheticPrimaryKey } }: Definition): string =>
    JSON.stringify([primaryKey ?? null, syntheticPrimaryKey ?? null]);
  if (keyOf(own) !== keyOf(other)) return 'The feeding tap and the fed tap have different primary keys.';
  const types = new Map(schemaOfTap(other.schema).fields.map(({ name, type }) => [name, type]));
  const different = schemaOfTap(own.schema).fields.find(({ name, type }) => (types.get(name) ?? type) !== type);
  return (
    different &&
    `The column "${different.name}" is ${different.type} in the feeding tap and ${types.get(different.name)} in the fed tap.`
  );
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', message);
}

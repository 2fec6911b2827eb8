import type { Call } from './connection-calls.js';
import { answerOf } from './people.js';
import { publish } from './publishing.js';
import type { Client, TestService } from './service.js';
import { fillTable } from './table-parts.js';

type Calls = (path: string) => Promise<Call[]>;

/** A table of the workspace catalog with rows and one that did not fit; its id. */
export async function aTable(service: TestService, client: Client): Promise<string> {
  const rows = Array.from({ length: 10_001 }, (_, at) => (at === 10_000 ? 'late' : `${at},Ada`));
  const { id } = await publish(client, `id,name\n${rows.join('\n')}\n`);
  await fillTable(service, id);
  const { table } = await answerOf(client, 'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id } } }', {
    id,
  });
  return table.id;
}

/** Calls that succeed, for every operation on tables. */
export function tableCalls(service: TestService, owner: Client): Record<string, Calls> {
  const of =
    (...queries: string[]): Calls =>
    async (path) => {
      const address = path.replace('{id}', await aTable(service, owner));
      return queries.map((query) => ({ address: address + query }));
    };
  return {
    catalogTables: of('', '?limit=1', '?offset=1000'),
    catalogTable: of(''),
    catalogTableFiles: of('', '?limit=1&offset=1'),
    catalogTableRows: of('', '?limit=1', '?limit=100&kind=rejects'),
  };
}

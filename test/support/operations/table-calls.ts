import { seriesIdOf } from '../../../src/quality/contracts/series-key.js';
import { aCheck, aContract, anSpcResult, aQualityResult } from '../quality/contract-fixtures.js';
import { queryField } from '../service/callers.js';
import type { Client, TestService } from '../service/service.js';
import { publishFile } from '../tables/publish-file.js';
import { fillTable } from '../tables/table-services.js';
import type { OperationRequest } from './connection-calls.js';

type Calls = (path: string) => Promise<OperationRequest[]>;

/** Creates a table with 10,000 rows and one reject. Returns its id. */
export async function aTable(service: TestService, client: Client): Promise<string> {
  const rows = Array.from({ length: 10_001 }, (_, at) => (at === 10_000 ? 'late' : `${at},Ada`));
  const { id } = await publishFile(client, `id,name\n${rows.join('\n')}\n`);
  await fillTable(service, id);
  const { table } = await queryField(
    client,
    'query ($id: Base62Id!) { tenantConnectorTap(id: $id) { table { id } } }',
    {
      id,
    },
  );
  return table.id;
}

const LIMITS = {
  ...{ mean: 2, stddev: 0.5, lowerControl3Sigma: 0.5, lowerWarning2Sigma: 1 },
  ...{ upperWarning2Sigma: 3, upperControl3Sigma: 3.5, trendSlope: 0.25 },
};

export function tableRequests(service: TestService, owner: Client): Record<string, Calls> {
  const of =
    (...queries: string[]): Calls =>
    async (path) => {
      const address = path.replace('{id}', await aTable(service, owner));
      return queries.map((query) => ({ address: address + query }));
    };
  const ofResults: Calls = async (address) => {
    const contractId = await aContract(service, await aTable(service, owner));
    const violations = [{ ruleId: 'NELSON_1' as const, description: 'High.', pointsInvolved: 1 }];
    await anSpcResult(service, contractId, { TABLE_ROW_COUNT: 3, 'COLUMN_MEAN:id': { ...LIMITS, violations } });
    const numbers = { comparator: 'LTE' as const, observed: 2, threshold: 1 };
    const evidence = { message: 'High.', runOverRunDelta: 1, sampleKeys: ['1'], topViolatingValues: ['x'] };
    await aQualityResult(service, contractId, [aCheck(), aCheck({ status: 'FAIL', ...numbers, evidence })]);
    return [{ address }];
  };
  return {
    catalogTables: of('', '?limit=1', '?offset=1000'),
    catalogTable: of(''),
    catalogTableFiles: of('', '?limit=1&offset=1', '?asOf=2100-01-01T00:00:00Z'),
    catalogTableVersions: of('', '?limit=1&offset=1'),
    catalogTableSchemaChanges: of('', '?limit=1&offset=1'),
    catalogTableRows: of('', '?limit=1', '?limit=100&kind=rejects', '?version=1', '?asOf=2100-01-01T00:00:00Z'),
    tableSpcResults: ofResults,
    tableQualityResults: ofResults,
    tableSpcChart: async (path) => {
      const tableId = await aTable(service, owner);
      const contractId = await aContract(service, tableId);
      await anSpcResult(service, contractId, { 'COLUMN_MEAN:id': 4_999.5 });
      const seriesId = encodeURIComponent(seriesIdOf(contractId, 'COLUMN_MEAN:id'));
      const address = path.replace('{id}', tableId).replace('{seriesId}', seriesId);
      return ['', '?points=2'].map((query) => ({ address: address + query }));
    },
  };
}

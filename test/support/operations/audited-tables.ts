import { expect } from 'vitest';
import { aContract, anSpcResult, aTableWithContracts } from '../quality/contract-fixtures.js';
import type { Client, TestService } from '../service/service.js';
import type { AuditedChange } from './audited-connections.js';

const ID = expect.stringMatching(/^[0-9A-Za-z]{22}$/);

export function auditedTableChanges(service: TestService, owner: Client): Record<string, AuditedChange> {
  return {
    updateTableContract: {
      ...{ action: 'table_contract.changed', objectType: 'TableContract' },
      details: { tableId: ID, version: 2, changed: ['windowSize'] },
      prepare: async () => ({
        query:
          'mutation ($id: Base62Id!) { updateTableContract(input: { id: $id, windowSize: 50, sigmaMethod: sample_stddev }) { id } }',
        variables: { id: await aContract(service, (await aTableWithContracts(service, owner)).id) },
      }),
    },
    acceptSpcLevel: {
      ...{ action: 'spc_level.accepted', objectType: 'TableContract' },
      details: { tableId: ID, seriesId: expect.stringMatching(/:TABLE_ROW_COUNT$/), from: '2026-01-01T00:00:00.000Z' },
      prepare: async () => {
        const contract = await aContract(service, (await aTableWithContracts(service, owner)).id);
        await anSpcResult(service, contract, { TABLE_ROW_COUNT: 3 });
        return {
          query: 'mutation ($id: String!) { acceptSpcLevel(seriesId: $id, from: "2026-01-01T00:00:00.000Z") { id } }',
          variables: { id: `${contract}:TABLE_ROW_COUNT` },
        };
      },
    },
    recordTableRun: {
      ...{ action: 'table_run.recorded', objectType: 'TableContract', hasUnknownObjectId: true },
      details: { tableId: ID, runId: 'nightly' },
      prepare: async () => ({
        query: `mutation ($id: Base62Id!) { recordTableRun(input: {
          tableId: $id, runId: "nightly", values: [{ kind: TABLE_ROW_COUNT, value: 3 }] }) { id } }`,
        variables: { id: (await aTableWithContracts(service, owner)).id },
      }),
    },
  };
}

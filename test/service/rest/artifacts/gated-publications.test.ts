import { describe, expect, it } from 'vitest';
import { decodeId, encodeId } from '../../../../src/kernel/ids.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { aContract } from '../../../support/quality/contract-fixtures.js';
import { checkStatusesOf, qualityOf } from '../../../support/quality/quality-results.js';
import { aService } from '../../../support/service/service.js';
import { getTap, publishFile } from '../../../support/tables/publish-file.js';
import { fillTable, publicationOf } from '../../../support/tables/table-services.js';

const service = aService();
const editor = service.as('editor');
const query = (sql: string, values?: unknown[]) => queryAsOwner(service, sql, values);

interface PublishedTap {
  readonly id: string;
  readonly tableId: string;
  readonly publicationId: string;
}

/** The file of the tap is not loaded yet. The contract has one rule. */
async function aTap(type: string): Promise<PublishedTap> {
  const { id } = await publishFile(editor, 'id,name\n1,Ada\n1,Alan\n2,\n');
  const [table] = await query('select id from catalog_table where tap_id = $1', [decodeId(id)]);
  const tableId = encodeId(table?.id);
  await aContract(service, tableId, 'tap', { primary_key: ['id'], rules: [{ type }] });
  const { publicationId } = await publicationOf(service, id);
  return { id, tableId, publicationId };
}

const resultsOf = ({ tableId }: PublishedTap) => qualityOf(query, tableId, 'tap');

describe('a published file', () => {
  it('is checked as the run of its publication, and loaded if it passes', async () => {
    const tap = await aTap('primary_key_null');
    await fillTable(service, tap.id);
    expect(await getTap(editor, tap.id)).toMatchObject({ publication: { status: 'succeeded', rows: 3 } });
    expect(await resultsOf(tap)).toMatchObject([{ runId: tap.publicationId, measures: { rows: 3 } }]);
  });

  it('is not loaded if a GATE_1 check fails, and the publication contains the reason', async () => {
    const tap = await aTap('primary_key_unique');
    await fillTable(service, tap.id);
    const { publication, promotedAt } = await getTap(editor, tap.id);
    expect([publication.status, promotedAt]).toEqual(['failed', undefined]);
    expect(publication.error).toMatch(/^WA-AF-030: primary_key_unique is 1/);
    const results = await resultsOf(tap);
    expect(results.map(checkStatusesOf)).toEqual([['primary_key_unique FAIL']]);
    expect(results).toMatchObject([{ runId: tap.publicationId, lifecycle: 'promote', measures: null }]);
    const live = "select from table_file where state = 'live' and table_id = $1";
    expect(await query(live, [decodeId(tap.tableId)])).toEqual([]);
  });

  it('has one result, even if its publication starts again', async () => {
    const tap = await aTap('primary_key_unique');
    await fillTable(service, tap.id);
    const [first] = await resultsOf(tap);
    await query("update publication set status = 'running', ended_at = null where id = $1", [
      decodeId(tap.publicationId),
    ]);
    await fillTable(service, tap.id);
    const [second, ...others] = await resultsOf(tap);
    expect([second?.runId, second?.id === first?.id, others]).toEqual([tap.publicationId, false, []]);
  });
});

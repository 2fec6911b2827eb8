import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeId } from '../../../../src/kernel/ids.js';
import { csvWithTail } from '../../../support/artifacts/csv-with-tail.js';
import { filesBelow, filesFolderOf } from '../../../support/artifacts/stored-files.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { runPublicationOf, temporaryFilesOf, whileReading } from '../../../support/operations/publication-runs.js';
import { aService } from '../../../support/service/service.js';
import { getTap, publishFile } from '../../../support/tables/publish-file.js';

const service = aService();
const editor = service.as('editor');

describe('a publication in progress', () => {
  it('reports its progress', async () => {
    const content = csvWithTail('7,Grace\n'.repeat(300_000));
    const { id } = await publishFile(editor, content);
    const seen: number[] = [];
    const readProgress = async (): Promise<void> => {
      const { status, bytesRead } = (await getTap(editor, id)).publication;
      if (status === 'running' && bytesRead > 0) seen.push(bytesRead);
    };
    const untilProgress = async () => {
      while (seen.length === 0) await readProgress();
    };
    await runPublicationOf(service, id, { change: whileReading(untilProgress) });
    expect(seen[0]).toBeLessThan(content.length);
    expect((await getTap(editor, id)).publication).toMatchObject({ status: 'succeeded', rows: 310_000 });
  });

  it('ends when its tap is deleted, and leaves nothing', async () => {
    const { id } = await publishFile(editor, csvWithTail('7,Grace\n'.repeat(300_000)));
    const before = (await filesBelow(join(filesFolderOf(service), 'tables'))).length;
    const deleteTap = () => editor.delete(`/api/tenant-connector-taps/${id}`);
    await runPublicationOf(service, id, { change: whileReading(deleteTap) });
    const [row] = await queryAsOwner(service, 'select status, error from publication where tap_id = $1', [
      decodeId(id),
    ]);
    expect(row).toEqual({ status: 'failed', error: 'WA-AF-021: The tap was deleted.' });
    const live = await queryAsOwner(
      service,
      `select 1 from table_file f join catalog_table t on t.id = f.table_id where t.tap_id = $1 and f.state = 'live'`,
      [decodeId(id)],
    );
    expect([live, await temporaryFilesOf(service)]).toEqual([[], []]);
    expect((await filesBelow(join(filesFolderOf(service), 'tables'))).length).toBeGreaterThanOrEqual(before);
  });
});

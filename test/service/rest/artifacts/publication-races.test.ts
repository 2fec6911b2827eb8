import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { decodeId, encodeId } from '../../../../src/kernel/ids.js';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { anInferredArtifact } from '../../../support/operations/tap-calls.js';
import { aService, type Reply } from '../../../support/service/service.js';
import { atScale } from '../../../support/soak.js';

const service = aService();
const editor = service.as('editor');

/** Runs this many races at the same time, so that they delay each other. */
const AT_ONCE = 5;

const publish = (id: string): Promise<Reply> => editor.post(`/api/artifacts/${id}/publish`, { name: `Raced ${id}` });
const removeFile = (id: string): Promise<Reply> => editor.delete(`/api/artifacts/${id}`);
const removeTap = (id: string): Promise<Reply> => editor.delete(`/api/tenant-connector-taps/${id}`);

/** The files share their bytes, which these tests do not read. */
async function files(count: number): Promise<string[]> {
  const model = decodeId(await anInferredArtifact(editor));
  const columns = (
    await queryAsOwner(
      service,
      "select column_name as name from information_schema.columns where table_name = 'artifact' and column_name <> 'id'",
    )
  ).map(({ name }) => `"${name}"`);
  const copies = `insert into artifact (id, ${columns}) select gen_random_uuid(), ${columns} from artifact, generate_series(1, $2)
    where artifact.id = $1 returning artifact.id`;
  return (await queryAsOwner(service, copies, [model, count])).map(({ id }) => encodeId(id));
}

/** Selects files whose row contradicts the rows of their workspace taps. */
const FAULTS = `
select artifact.id from artifact
left join tenant_connector_tap tap on tap.attributed_artifact_id = artifact.id and tap.deleted_at is null
group by artifact.id, artifact.deleted_at, artifact.attributed_tap_id
having count(tap.id) > 1 or (artifact.deleted_at is not null and count(tap.id) > 0)
  or (artifact.attributed_tap_id is null) <> (count(tap.id) = 0) or max(tap.id::text) <> artifact.attributed_tap_id::text`;

async function race(ids: readonly string[], run: (id: string, nth: number) => Promise<Reply[]>): Promise<number[][]> {
  const outcomes: number[][] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const replies = await Promise.all(ids.slice(at, at + AT_ONCE).map((id, nth) => run(id, at + nth)));
    outcomes.push(...replies.map((pair) => pair.map(({ status }) => status)));
  }
  return outcomes;
}

describe('a file that is published and deleted concurrently', () => {
  it('ends up either published or deleted', async () => {
    const [first, ...ids] = (await files(atScale(41, 501))) as [string, ...string[]];
    const start = performance.now();
    await publish(first);
    const publicationMs = performance.now() - start;
    // Half of the deletions start together with the publication. The other deletions start later, after at most twice
    // the duration of a publication.
    const outcomes = await race(ids, (id, nth) => {
      const delayMs = nth % 2 ? (2 * publicationMs * nth) / ids.length : 0;
      return Promise.all([publish(id), setTimeout(delayMs).then(() => removeFile(id))]);
    });
    const [published, deleted] = [
      [200, 409],
      [404, 200],
    ].map((wanted) => outcomes.filter((outcome) => String(outcome) === String(wanted)).length) as [number, number];
    expect(published + deleted).toBe(ids.length);
    expect([published > 0, deleted > 0]).toEqual([true, true]);
    expect(await queryAsOwner(service, FAULTS)).toEqual([]);
  }, 600_000);

  it('has at most one tap, even if its previous tap is deleted concurrently', async () => {
    const ids = await files(atScale(10, 200));
    const taps = new Map<string, string>();
    for (const id of ids) taps.set(id, (await publish(id)).body.data.id);
    const outcomes = await race(ids, (id) =>
      Promise.all([removeTap(taps.get(id) as string), publish(id), publish(id), removeFile(id)]),
    );
    for (const [tap, ...others] of outcomes) {
      expect(tap).toBe(200);
      expect(others.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      expect(others.filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    }
    expect(await queryAsOwner(service, FAULTS)).toEqual([]);
  }, 600_000);
});

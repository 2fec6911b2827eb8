import { expect, it } from 'vitest';
import { newIngestToken } from '../../../../src/ingest/ingest-token-text.js';
import { captureStatements } from '../../../support/database/captured-statements.js';
import { anInboundTap, anIngestService, pushRecords, SENDER_SECRET } from '../../../support/ingest/pushed-taps.js';

const service = await anIngestService({ RATE_LIMITS: 'ingest=60,public=8' });
const editor = service.as('editor');

it('limits each valid token separately, and invalid tokens by client address', async () => {
  const [one, other] = [await anInboundTap(editor, 'token'), await anInboundTap(editor, 'token')];
  const headers = { 'x-token': 'wrong' };
  const statuses: number[] = [];
  for (let nth = 0; nth < 6; nth++) statuses.push((await pushRecords(service, one.token, {}, headers)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  const refused = await pushRecords(service, one.token, {}, headers);
  expect([refused.body.error, Number(refused.headers.get('retry-after'))]).toEqual([
    expect.stringMatching(/^TOO_MANY_REQUESTS: The limit is 5 requests per 5 seconds\. Try again in [1-5] s\.$/),
    expect.any(Number),
  ]);
  const forged = await pushRecords(service, other.token, {}, headers);
  const unknown = await pushRecords(service, newIngestToken().token, {}, headers);
  expect([forged.status, forged.headers.get('ratelimit-limit')]).toEqual([401, null]);
  expect([...forged.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort());
  const strangers: number[] = [];
  for (let nth = 0; nth < 9; nth++) strangers.push((await pushRecords(service, newIngestToken().token, {})).status);
  expect(strangers.at(-1)).toBe(429);
  const made: number[] = [];
  const statements = await captureStatements(async () => {
    made.push((await pushRecords(service, newIngestToken().token, {})).status);
  });
  expect([made, statements.filter((text) => text.includes('ingest_token'))]).toEqual([[429], []]);
  const own = await pushRecords(service, other.token, {}, { 'x-token': SENDER_SECRET });
  expect(own.status).toBe(202);
});

import { expect, it } from '@jest/globals';
import { newIngestToken } from '../../src/ingest/ingest-token-text.js';
import { aPushedService, aPushedTap, push, SENDER_SECRET } from '../support/pushed-taps.js';
import { statementsOf } from '../support/statements.js';

const service = await aPushedService({ RATE_LIMITS: 'ingest=60,public=8' });
const editor = service.as('editor');

it('counts requests with each token for itself, those with one that opens nothing for their address', async () => {
  const [one, other] = [await aPushedTap(editor, 'token'), await aPushedTap(editor, 'token')];
  const headers = { 'x-token': 'wrong' };
  const statuses: number[] = [];
  for (let nth = 0; nth < 6; nth++) statuses.push((await push(service, one.token, {}, headers)).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  const refused = await push(service, one.token, {}, headers);
  expect([refused.body.error, Number(refused.headers.get('retry-after'))]).toEqual([
    expect.stringMatching(/^TOO_MANY_REQUESTS: 5 requests in 5 seconds are allowed; try again in [1-5] s\.$/),
    expect.any(Number),
  ]);
  const forged = await push(service, other.token, {}, headers);
  const unknown = await push(service, newIngestToken().token, {}, headers);
  expect([forged.status, forged.headers.get('ratelimit-limit')]).toEqual([401, null]);
  expect([...forged.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort());
  const strangers: number[] = [];
  for (let nth = 0; nth < 9; nth++) strangers.push((await push(service, newIngestToken().token, {})).status);
  expect(strangers.at(-1)).toBe(429);
  const made: number[] = [];
  const statements = await statementsOf(async () => {
    made.push((await push(service, newIngestToken().token, {})).status);
  });
  expect([made, statements.filter((text) => text.includes('ingest_token'))]).toEqual([[429], []]);
  const own = await push(service, other.token, {}, { 'x-token': SENDER_SECRET });
  expect(own.status).toBe(202);
});

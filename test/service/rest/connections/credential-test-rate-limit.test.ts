import { expect, it } from 'vitest';
import { queryAsOwner } from '../../../support/database/owner-queries.js';
import { waitUntil } from '../../../support/database/test-jobs.js';
import { aConnectedWorkspace, connect } from '../../../support/sources/connected-workspace.js';

const LIMIT = 3;
const { service, vendor } = await aConnectedWorkspace({ RATE_LIMITS: `vendor=${LIMIT}`, JOBS: 'on' });
const editor = service.as('editor');

const waiting = () =>
  queryAsOwner(
    service,
    "select data from taproot_jobs.job where state = 'created' and start_after > now() + interval '5 s'",
  );
const submitted = ({ data }: Record<string, { trigger?: string }>): boolean => data?.trigger === 'submitted';

it('limits the tests of submissions per minute, and postpones further tests', async () => {
  for (let nth = 0; nth < 2 * LIMIT; nth++) await connect(editor, 'bearer', vendor.credentials.bearer);
  await waitUntil(async () => (await waiting()).filter(submitted).length === LIMIT);
  expect(vendor.callsTo('/bearer/me')).toHaveLength(LIMIT);
});

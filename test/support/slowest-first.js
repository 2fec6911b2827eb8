import { BaseSequencer } from 'vitest/node';

/** Files that take 10 seconds or more on 2 cores, slowest first. */
const SLOWEST = [
  'process/main',
  'contract/isolation',
  'contract/isolation-without-filters',
  'process/shutdown',
  'process/rotate-keys',
  'process/crash-ingest',
  'process/rolling-restarts',
  'service/methods/oauth2-auth-code-pkce',
  'contract/permissions',
  'contract/response-schemas',
  'process/unresponsive-vendors',
  'service/rest/connections/connection-races',
  'service/rest/connections/credential-history',
  'service/startup/database-roles',
  'service/rest/http/idempotency',
  'database/gate-rows',
  'contract/sql-count-connections',
  'service/graphql/audit-trail',
  'service/rest/artifacts/publish-artifact',
  'service/rest/ingest/push-records',
  'contract/pgbouncer',
  'service/rest/tables/table-results',
  'service/rest/connections/credential-test-jobs',
  'database/job-queue',
];

/** The others by folder. */
const FOLDERS = ['process', 'contract', 'service', 'database', 'unit'];

/** Starts long files early, so that none of them runs alone at the end. */
export class SlowestFirst extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) => {
      const name = moduleId.split('/dist/test/')[1].replace('.test.js', '');
      const slow = SLOWEST.indexOf(name);
      return slow === -1 ? SLOWEST.length + FOLDERS.indexOf(name.split('/')[0]) : slow;
    };
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

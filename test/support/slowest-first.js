import { BaseSequencer } from 'vitest/node';

/** Files that take 14 seconds or more on 2 cores, slowest first. */
const SLOWEST = [
  'contract/isolation',
  'contract/isolation-without-filters',
  'process/main',
  'service/rest/connections/syncs',
  'service/methods/oauth2-auth-code-pkce',
  'process/concurrent-token-refresh',
  'process/crash-ingest',
  'process/rolling-restarts',
  'contract/response-schemas',
  'process/rotate-keys',
  'contract/secret-leaks',
  'service/startup/database-roles',
  'service/rest/connections/connection-statuses',
  'service/rest/ingest/ingest-tokens',
  'unit/syncs/shipped-tap-scenarios',
  'database/sync-upserts',
  'service/rest/connections/oauth-flow',
  'process/concurrent-credential-tests',
  'service/rest/connections/credential-history',
  'service/rest/http/idempotency',
  'service/graphql/live-updates',
  'process/unresponsive-vendors',
  'service/rest/ingest/push-records',
  'service/rest/artifacts/publications',
  'service/rest/tables/quality-checks',
  'contract/pgbouncer',
  'contract/row-level-security',
  'contract/sql-count-connections',
  'service/rest/tables/table-results',
  'service/rest/tables/catalog-tables',
  'contract/subscriptions',
  'service/rest/connections/connection-races',
  'service/rest/connections/blocked-targets',
  'database/job-queue',
  'process/shared-job-queue',
  'process/shutdown',
  'service/startup/catalog-updates',
  'service/rest/connections/credential-test-jobs',
  'process/crash-publications',
];

/** The files that are not in `SLOWEST` start in the order of these folders. */
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

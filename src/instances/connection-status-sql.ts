import type { Compare } from '../kernel/entities/listed.js';
import {
  JOB_REPORT_TIMEOUT_MS,
  type RuledStatus,
  STALE_AFTER_MS,
  STATUSES_BY_PRECEDENCE,
} from './tenant-connector-status.js';

const TAPS = `select from tenant_connector_tap tap
  where tap.tenant_id = connection.tenant_id and tap.instance_id = connection.id`;

const HAS_INBOUND_STRATEGY = `exists (
  select from inbound_auth_strategy strategy where strategy.connector_id = connection.connector_id)`;

/** Finds the latest test by `validated_at`, which is the time of the latest test. */
const LATEST_TEST_FAILED = `exists (select from credential_validation test
  where test.tenant_id = credential.tenant_id and test.credential_id = credential.id
    and test.validated_at = credential.validated_at and test.error_code = 'internal_error')`;

const RUNS = `(state.sync -> 'running' ->> 'reportedAt')::timestamptz > now() - interval '${JOB_REPORT_TIMEOUT_MS} milliseconds'`;

/**
 * SQL conditions on a row that correspond to the rules of `connectionStatusOf`. In an `and`, the operand that is false for
 * most rows is first, so that PostgreSQL rarely evaluates the others.
 */
const CONDITIONS: Readonly<Record<RuledStatus, string>> = {
  internal_error: `state.sync -> 'finished' ->> 'errorCode' = 'runner_error'
      or credential.status not in ('invalid', 'expired') and ${LATEST_TEST_FAILED}`,
  disabled: `not connection.enabled
      or not exists (${TAPS} and tap.enabled and tap.deleted_at is null) and exists (${TAPS})`,
  config_invalid: `credential.error_code = 'config_invalid'`,
  credential_error: `credential.status in ('invalid', 'expired', 'revoked')
      or credential.status = 'valid' and credential.expires_at <= now()`,
  manual_validation_required: `credential.status = 'manual_validation_required' or credential.id is null and ${HAS_INBOUND_STRATEGY}`,
  validation_pending: `credential.status in ('pending', 'validating')`,
  schedule_paused: 'connection.schedule_paused',
  initial_syncing: `${RUNS} and (state.sync -> 'running' ->> 'isInitial')::boolean`,
  update_syncing: RUNS,
  sync_queued: `(state.sync ->> 'isQueued')::boolean`,
  sync_failed: `state.sync -> 'finished' ->> 'status' = 'failed'`,
  sync_partial_success: `state.sync -> 'finished' ->> 'status' = 'partial_success'`,
  transform_quality_degraded: `connection.is_degraded or (state.sync -> 'finished' ->> 'qualityDegraded')::boolean`,
  ingestion_stale: `(state.sync ->> 'succeededAt')::timestamptz < now() - interval '${STALE_AFTER_MS} milliseconds'`,
};

const CASES = STATUSES_BY_PRECEDENCE.map((status) => `when ${CONDITIONS[status]} then '${status}'`);

/**
 * Returns an SQL condition on the status of a connection, for filters of lists. The database cannot store the status,
 * because it depends on the current time. PostgreSQL joins the tables of the whole workspace once. That is faster than
 * subqueries for each row. Because of `offset 0`, PostgreSQL parses the JSON once per row instead of once per rule.
 */
export function connectionStatusCondition(compare: Compare): string {
  return `id in (
    select connection.id from tenant_connector_instance connection
    cross join lateral (select connection.sync::jsonb as sync offset 0) as state
    left join credential_metadata credential
      on credential.tenant_id = connection.tenant_id and credential.id = connection.credential_id
    where ${compare(`case ${CASES.join(' ')} else 'idle' end`)})`;
}

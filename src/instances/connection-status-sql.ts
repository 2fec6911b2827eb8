import type { Compare } from '../kernel/entities/listed.js';
import { isoTimeSql } from './sync-state.js';
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

/** The latest test of a credential has the same `validated_at` as the credential. */
const LATEST_TEST_FAILED = `connection.credential_id in (
  select tested.id from credential_validation test
  join credential_metadata tested on tested.tenant_id = test.tenant_id and tested.id = test.credential_id
  where test.error_code = 'internal_error' and tested.validated_at = test.validated_at
    and tested.status not in ('invalid', 'expired'))`;

/**
 * Compares ISO 8601 strings, because PostgreSQL formats one limit faster than it parses the time of each connection.
 */
const IS_STALE = `(connection.sync ->> 'succeededAt') collate "C" < (
  select ${isoTimeSql(`(now() - interval '${STALE_AFTER_MS} milliseconds')`)})`;

const RUNS = `(connection.sync -> 'running' ->> 'reportedAt')::timestamptz > now() - interval '${JOB_REPORT_TIMEOUT_MS} milliseconds'`;

/**
 * The rules of `connectionStatusOf` in SQL. In an `and`, the operand that is false for most rows comes first, so that
 * PostgreSQL rarely evaluates the next operand.
 */
const CONDITIONS: Readonly<Record<RuledStatus, string>> = {
  internal_error: `connection.sync -> 'finished' ->> 'errorCode' = 'runner_error'
      or ${LATEST_TEST_FAILED}`,
  disabled: `not connection.enabled
      or not exists (${TAPS} and tap.enabled and tap.deleted_at is null) and exists (${TAPS})`,
  config_invalid: `credential.error_code = 'config_invalid'`,
  credential_error: `credential.status in ('invalid', 'expired', 'revoked')
      or credential.status = 'valid' and credential.expires_at <= now()`,
  manual_validation_required: `credential.status = 'manual_validation_required' or connection.credential_id is null and ${HAS_INBOUND_STRATEGY}`,
  validation_pending: `credential.status in ('pending', 'validating')`,
  schedule_paused: 'connection.schedule_paused',
  initial_syncing: `${RUNS} and (connection.sync -> 'running' ->> 'isInitial')::boolean`,
  update_syncing: RUNS,
  sync_queued: `(connection.sync ->> 'isQueued')::boolean`,
  sync_failed: `connection.sync -> 'finished' ->> 'status' = 'failed'`,
  sync_partial_success: `connection.sync -> 'finished' ->> 'status' = 'partial_success'`,
  transform_quality_degraded: `connection.is_degraded or (connection.sync -> 'finished' ->> 'qualityDegraded')::boolean`,
  ingestion_stale: IS_STALE,
};

const CASES = STATUSES_BY_PRECEDENCE.map((status) => `when ${CONDITIONS[status]} then '${status}'`);

/**
 * The status is not stored, because it depends on the current time. One join is faster than subqueries for each
 * connection. `tenant_id` limits the join to rows of the workspace.
 */
export function connectionStatusCondition(compare: Compare): string {
  return `(tenant_id, id) in (
    select connection.tenant_id, connection.id from tenant_connector_instance connection
    left join credential_metadata credential
      on credential.tenant_id = connection.tenant_id and credential.id = connection.credential_id
      and (credential.status <> 'valid' or credential.error_code is not null or credential.expires_at <= now())
    where ${compare(`case ${CASES.join(' ')} else 'idle' end`)})`;
}

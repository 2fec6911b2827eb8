import {
  JOB_REPORT_TIMEOUT_MS,
  type RuledStatus,
  STALE_AFTER_MS,
  STATUSES_BY_PRECEDENCE,
} from './tenant-connector-status.js';

const TAPS = `select from tenant_connector_tap tap
  where tap.tenant_id = tenant_connector_instance.tenant_id and tap.instance_id = tenant_connector_instance.id`;

const HAS_INBOUND_STRATEGY = `exists (
  select from inbound_auth_strategy strategy where strategy.connector_id = tenant_connector_instance.connector_id)`;

const LATEST_TEST_ERROR = `(select test.error_code from credential_validation test
  where test.tenant_id = credential.tenant_id and test.credential_id = credential.id
  order by test.validated_at desc, test.id limit 1)`;

const RUNS = `(sync -> 'running' ->> 'reportedAt')::timestamptz > now() - interval '${JOB_REPORT_TIMEOUT_MS} milliseconds'`;

/** The rules of `connectionStatusOf` as conditions on a row. A condition that is false for most rows is first. */
const CONDITIONS: Readonly<Record<RuledStatus, string>> = {
  internal_error: `sync -> 'finished' ->> 'errorCode' = 'runner_error' or credential.status not in ('invalid', 'expired')
      and credential.validated_at is not null and ${LATEST_TEST_ERROR} = 'internal_error'`,
  disabled: `not enabled or not exists (${TAPS} and tap.enabled and tap.deleted_at is null) and exists (${TAPS})`,
  config_invalid: `credential.error_code = 'config_invalid'`,
  credential_error: `credential.status in ('invalid', 'expired', 'revoked')
      or credential.status = 'valid' and credential.expires_at <= now()`,
  manual_validation_required: `credential.status = 'manual_validation_required' or credential.id is null and ${HAS_INBOUND_STRATEGY}`,
  validation_pending: `credential.status in ('pending', 'validating')`,
  schedule_paused: 'schedule_paused',
  initial_syncing: `${RUNS} and (sync -> 'running' ->> 'isInitial')::boolean`,
  update_syncing: RUNS,
  sync_queued: `(sync ->> 'isQueued')::boolean`,
  sync_failed: `sync -> 'finished' ->> 'status' = 'failed'`,
  sync_partial_success: `sync -> 'finished' ->> 'status' = 'partial_success'`,
  transform_quality_degraded: `is_degraded or (sync -> 'finished' ->> 'qualityDegraded')::boolean`,
  ingestion_stale: `(sync ->> 'succeededAt')::timestamptz < now() - interval '${STALE_AFTER_MS} milliseconds'`,
};

const CASES = STATUSES_BY_PRECEDENCE.map((status) => `when ${CONDITIONS[status]} then '${status}'`);

/**
 * SQL of the status of a connection, for filters of lists. The status depends on the current time, so it cannot be
 * stored. `offset 0` makes PostgreSQL parse the JSON once per row instead of once per condition.
 */
export const CONNECTION_STATUS_SQL = `(
  select case ${CASES.join(' ')} else 'idle' end
  from (select tenant_connector_instance.sync::jsonb as sync offset 0) as state left join credential_metadata credential
    on credential.tenant_id = tenant_connector_instance.tenant_id
    and credential.id = tenant_connector_instance.credential_id)`;

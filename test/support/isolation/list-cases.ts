/** Text columns that cannot contain a canary value, because their values are not free text. */
export const WITHOUT_CANARY = [
  'api_key.ending',
  'api_key.hash',
  'api_key.permissions',
  'artifact.file_type',
  'artifact.head_sha256',
  'artifact.inference_error',
  'artifact.schema_inference_status',
  'artifact.sha256',
  'artifact.upload_status',
  'audit_entry.action',
  'audit_entry.actor_kind',
  'audit_entry.object_type',
  'audit_entry.request_id',
  'catalog_table.merged_by',
  'connector_request.status',
  'connector_request_move.from',
  'connector_request_move.to',
  'credential_metadata.error_code',
  'credential_metadata.status',
  'credential_validation.error_code',
  'credential_validation.status',
  'credential_validation.trigger',
  'data_key.key_id',
  'data_key.wrapped',
  'idempotent_request.file_sha256',
  'idempotent_request.fingerprint',
  'ingest_delivery.body_hash',
  'ingest_delivery.key',
  'ingest_token.hash',
  'ingest_token.prefix',
  'oauth_flow.browser_hash',
  'oauth_flow.started_by_kind',
  'oauth_flow.state_hash',
  'oauth_flow.verifier',
  'publication.error',
  'publication.status',
  'role.built_in',
  'role.permissions',
  'sealed_credential.config',
  'sealed_credential.session',
  'storage_usage.kind',
  'sync_job.error_class',
  'sync_job.error_code',
  'sync_job.status',
  'sync_job.trigger',
  'sync_schedule.cron',
  'sync_schedule.kind',
  'sync_schedule.quiet_from',
  'sync_schedule.quiet_until',
  'sync_schedule.timezone',
  'sync_slice.cursor',
  'sync_slice.parent_version',
  'sync_slice.state',
  'table_contract.accepted_levels',
  'table_contract.extra_spc_rules',
  'table_contract.run_scope',
  'table_contract.scope',
  'table_contract.sigma_method',
  'table_contract.timestamp_column',
  'table_file.first_key',
  'table_file.kind',
  'table_file.last_key',
  'table_file.state',
  'table_quality_result.lifecycle',
  'table_quality_result.measures',
  'table_quality_result.overall_status',
  'table_spc_result.overall_status',
  'table_version.batch',
  'table_version.cause',
  'table_version.changed_types',
  'tap_run.committed',
  'tap_run.error_class',
  'tap_run.mode',
  'tap_run.status',
  'tap_state.marks',
  'tap_state.parent_version',
  'tap_state.partition',
  'tenant_connector_instance.last_sync_status',
  'tenant_connector_instance.sync',
  'tenant_connector_tap.deleted_rows',
  'tenant_connector_tap.drift_policy',
  'tenant_connector_tap.mode',
  'user.issuer',
  'user.status',
];

const NOT_DELETED = 'deleted_at is null';
const IN_CATALOG = `exists (select from tenant_connector_tap tap where tap.id = catalog_table.tap_id and promoted_at is not null and ${NOT_DELETED})`;

const IS_PUSHED = `(exists (select from ingest_token k where k.tap_id = tenant_connector_tap.id)
  or exists (select from connector_tap d where d.id = tenant_connector_tap.tap_id and d.sync ->> 'mode' = 'push'))`;

/** SQL condition: the result is the latest of its contract, and its table is in the catalog. */
const isLatest = (table: string) => `
  exists (select from table_contract k join catalog_table on catalog_table.id = k.table_id where k.id = ${table}.contract_id and ${IN_CATALOG})
  and not exists (select from ${table} later where later.contract_id = ${table}.contract_id and later.captured_at > ${table}.captured_at)`;

interface List {
  readonly table: string;
  /** SQL condition that selects the rows that the list returns. */
  readonly condition: string;
}

const all = (table: string, condition = 'true'): List => ({ table, condition });

/** The keys are root fields. */
export const LIST_CASES: Record<string, List> = {
  users: all('user'),
  roles: all('role'),
  invitations: all('invitation'),
  apiKeys: all('api_key'),
  connectorRequests: all('connector_request'),
  auditEntries: all('audit_entry'),
  artifacts: all('artifact', NOT_DELETED),
  tenantConnectorInstances: all('tenant_connector_instance', NOT_DELETED),
  syncJobs: all(
    'sync_job',
    `exists (select from tenant_connector_instance i where i.id = instance_id and i.${NOT_DELETED})`,
  ),
  tenantConnectorTaps: all('tenant_connector_tap', NOT_DELETED),
  pushedTaps: all('tenant_connector_tap', `${NOT_DELETED} and ${IS_PUSHED}`),
  catalogTables: all('catalog_table', IN_CATALOG),
  tableSpcResults: all('table_spc_result', isLatest('table_spc_result')),
  tableQualityResults: all('table_quality_result', isLatest('table_quality_result')),
};

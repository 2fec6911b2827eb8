type Fields = Record<string, string>;

/** SQL/JSON omits nulls without the second pass of `json_strip_nulls`. */
export function jsonObjectSql(fields: Fields): string {
  const pairs = Object.entries(fields).map(([key, value]) => `'${key}' value ${value}`);
  return `json_object(${pairs.join(', ')} absent on null)`;
}

export function jsonListSql(fields: Fields, from: string, orderBy: string): string {
  return `coalesce((select json_agg(${jsonObjectSql(fields)} order by ${orderBy}) from ${from}), '[]'::json)`;
}

/** Names the columns as in the API: `created_at` becomes `createdAt`. */
export function columnFields(alias: string, names: string): Fields {
  const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(names.split(' ').map((name) => [camel(name), `${alias}.${name}`]));
}

export function isoTimeSql(column: string): string {
  return `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export function auditedFields(alias: string): Fields {
  return {
    id: `${alias}.id62`,
    createdAt: isoTimeSql(`${alias}.created_at`),
    createdBy: `${alias}.created_by62`,
    updatedAt: isoTimeSql(`${alias}.updated_at`),
    updatedBy: `${alias}.updated_by62`,
  };
}

const STRATEGY =
  'type label config_schema ingestion_config_schema addressing_config default_base_url default_scopes ' +
  'delegated_user_field docs extra_headers hook api_key_config basic_config pre_encoded_basic_config bearer_config';

export function strategiesSql(connector: string): string {
  const fields = { ...auditedFields('s'), ...columnFields('s', STRATEGY), oauth2Config: 's.oauth2config' };
  return jsonListSql(fields, `connector_auth_strategy s where s.connector_id = ${connector}`, 's.position');
}

const INBOUND =
  'handshake_kind verification_type config_schema label replay_window_seconds signature_base signature_header ' +
  'timestamp_header';

/** Null if the connector has no inbound strategies, so that the response omits the field. */
export function inboundStrategiesSql(connector: string): string {
  const fields = jsonObjectSql({ ...auditedFields('i'), ...columnFields('i', INBOUND) });
  const from = `inbound_auth_strategy i where i.connector_id = ${connector}`;
  return `(select json_agg(${fields} order by i.position) from ${from})`;
}

const TAP =
  'name enabled_by_default identity_directory response_extraction schema sync transport_options custom_fields ' +
  'data_kind deletion_semantics description extraction_hook object_name parent_context_fields ' +
  'per_parent_auth quality_config rate_limit_override rate_limits request_hook retention_policy skip_on_http_status ' +
  'tombstone_marker_column';

export function tapsSql(connector: string): string {
  const fields = { ...auditedFields('t'), ...columnFields('t', TAP), enabledSince: isoTimeSql('t.enabled_since') };
  return jsonListSql(fields, `connector_tap t where t.connector_id = ${connector}`, 't.position');
}

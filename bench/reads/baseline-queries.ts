import { DEFAULT_TIMEOUT_SECONDS } from '../../src/catalog/model/default-timeout.js';
import {
  auditedFields,
  columnFields,
  inboundStrategiesSql,
  isoTimeSql,
  jsonListSql,
  jsonObjectSql,
  strategiesSql,
  tapsSql,
} from './json-sql.js';

// Each benchmarked read as one optimized statement.

const MAX_TREE_DEPTH = 8;
const EMPTY = `'[]'::json`;

const VENDOR = 'name slug sort_order description logo';
const GROUPING =
  'name slug is_leaf breadcrumbs release_stage sort_order description docs external_version grouping_path ' +
  'integration_class logo platform_version priority protocol_type';

function itself(grouping: string): Record<string, string> {
  const connectorId = `${grouping}.connector_id62`;
  return { id: `${grouping}.id62`, ...columnFields(grouping, GROUPING), vendor: 'v.brief', connectorId };
}

/**
 * Returns SQL for the groupings that match `where`, with nested descendants. For leaves, PostgreSQL skips the subquery
 * of the next level.
 */
function tree(level: number, where: string): string {
  const g = `g${level}`;
  const below = level < MAX_TREE_DEPTH ? tree(level + 1, `parent_id = ${g}.id`) : EMPTY;
  const ofConnector = (part: string): string => `case when ${g}.connector_id is not null then ${part} end`;
  const fields = {
    ...itself(g),
    ...(level > 1 && { parent: `p${level - 1}.itself` }),
    groupings: `case when ${g}.is_leaf then ${EMPTY} else ${below} end`,
    ingestionConfigSchema: `${g}.ingestion_config_schema`,
    supportedAuthStrategies: ofConnector(strategiesSql(`${g}.connector_id`)),
    supportedInboundAuthStrategies: ofConnector(inboundStrategiesSql(`${g}.connector_id`)),
  };
  // `offset 0` makes PostgreSQL build the object of a parent once instead of once per child.
  const asParent = `case when not ${g}.is_leaf then ${jsonObjectSql({ ...itself(g), groupings: EMPTY })} end`;
  const from = `platform_vendor_grouping ${g}, lateral (select ${asParent} as itself offset 0) p${level}`;
  return jsonListSql(fields, `${from} where ${g}.${where}`, `${g}.sort_order, ${g}.name, ${g}.id`);
}

const TREE = tree(1, 'vendor_id = v.id and g1.parent_id is null');

/** Each vendor has a column `brief`: the object that all groupings of the vendor contain. */
function vendors(which: string): string {
  const brief = jsonObjectSql({ id: 'v.id62', ...columnFields('v', VENDOR), groupings: EMPTY });
  return `(select v.*, ${brief} as brief from (select * from platform_vendor v ${which}) v offset 0) v`;
}

/** Parameters: `$1` limit, `$2` offset and, if `searched`, `$3` search term. */
export function vendorPageSql(searched: boolean): string {
  const contains = ['name', 'slug', 'description'].map((column) => `strpos(lower(v.${column}), lower($3)) > 0`);
  const where = searched ? `where ${contains.join(' or ')}` : '';
  const order = 'v.sort_order, v.name, v.id';
  const page = vendors(`${where} order by ${order} limit $1::int offset $2::int`);
  const items = jsonListSql({ id: 'v.id62', ...columnFields('v', VENDOR), groupings: TREE }, page, order);
  return pageOf(items, `select count(*)::int as count from platform_vendor v ${where}`);
}

export function groupingTreeSql(): string {
  return `select ${TREE}::text from ${vendors('where v.slug = $1')}`;
}

const CONNECTOR =
  'slug name release_status description api_version default_base_url addressing_config traversal ' +
  'ingestion_config_schema integration_class protocol_type rate_limits concurrency_tag_template ' +
  'field_discovery effort_metadata setup_documentation';

export function connectorPageSql(): string {
  const parts = {
    supportedAuthStrategies: strategiesSql('c.id'),
    taps: tapsSql('c.id'),
    inboundAuthStrategies: inboundStrategiesSql('c.id'),
  };
  const order = 'c.name, c.slug';
  const page = `(select * from connector c order by ${order} limit $1::int offset $2::int) c`;
  const timeoutSeconds = `coalesce(c.timeout_seconds, ${DEFAULT_TIMEOUT_SECONDS})`;
  const items = jsonListSql(
    {
      ...auditedFields('c'),
      ...columnFields('c', CONNECTOR),
      effectiveBaseUrl: 'c.default_base_url',
      timeoutSeconds,
      ...parts,
    },
    page,
    order,
  );
  return pageOf(items, 'select count(*)::int as count from connector c');
}

/** Parameters: `$1` id of the workspace as a UUID, `$2` the same id in base62. */
export function latestSpcResultsSql(): string {
  const order = 'table_created_at, table_id, scope';
  const contractId = (scope: string): string => `case when scope = '${scope}' then contract_id62 end`;
  const fields = {
    ...{ resultId: 'id62', runId: 'run_id', capturedAt: isoTimeSql('captured_at') },
    ...{ overallStatus: 'overall_status', windowSize: 'window_size', series: 'series' },
    ...{ dataContractId: contractId('data'), tapContractId: contractId('tap') },
  };
  const ids = `$2::text || coalesce((select string_agg(',' || id62, '' order by ${order}) from latest), '')`;
  const hash = `left(translate(encode(sha256(convert_to(${ids}, 'UTF8')), 'base64'), '+/', '-_'), 27)`;
  const data = jsonObjectSql({
    results: jsonListSql(fields, 'latest', order),
    resultsVersion: hash,
    tenantId: '$2::text',
  });
  return `with latest as materialized (
    select r.*, k.scope, t.id as table_id, t.created_at as table_created_at
    from catalog_table t join tenant_connector_tap tap on tap.id = t.tap_id and tap.promoted_at is not null and tap.deleted_at is null
    join table_contract k on k.table_id = t.id
    cross join lateral (select * from table_spc_result r where r.contract_id = k.id order by captured_at desc, id limit 1) r
    where t.tenant_id = $1::uuid
  ) select ${data}::text`;
}

function pageOf(items: string, total: string): string {
  const page = jsonObjectSql({ items, limit: '$1::int', offset: '$2::int', total: 'total.count' });
  return `select ${page}::text, total.count from (${total}) total`;
}

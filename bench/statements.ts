import { audited, columns, inboundStrategies, list, object, strategies, taps } from './statement-parts.js';

/**
 * Each read of the catalog as the one statement that a competent engineer would write for it. The first column is the
 * JSON of `data` as text; the second, of a page, how many items the whole list has.
 */
const DEPTH = 8;
const EMPTY = `'[]'::json`;

const VENDOR = 'name slug sort_order description logo';
const GROUPING =
  'name slug is_leaf breadcrumbs release_stage sort_order description docs external_version grouping_path ' +
  'integration_class logo platform_version priority protocol_type';

function itself(grouping: string): Record<string, string> {
  const connectorId = `${grouping}.connector_id62`;
  return { id: `${grouping}.id62`, ...columns(grouping, GROUPING), vendor: 'v.brief', connectorId };
}

/** The groupings that `where` picks, those below them nested: unrolled level by level, so that leaves end it at once. */
function tree(level: number, where: string): string {
  const g = `g${level}`;
  const below = level < DEPTH ? tree(level + 1, `parent_id = ${g}.id`) : EMPTY;
  const ofConnector = (part: string): string => `case when ${g}.connector_id is not null then ${part} end`;
  const fields = {
    ...itself(g),
    ...(level > 1 && { parent: `p${level - 1}.itself` }),
    groupings: `case when ${g}.is_leaf then ${EMPTY} else ${below} end`,
    ingestionConfigSchema: `${g}.ingestion_config_schema`,
    supportedAuthStrategies: ofConnector(strategies(`${g}.connector_id`)),
    supportedInboundAuthStrategies: ofConnector(inboundStrategies(`${g}.connector_id`)),
  };
  // The parent's object is the same for all its children; `offset 0` keeps PostgreSQL from making it for each.
  const asParent = `case when not ${g}.is_leaf then ${object({ ...itself(g), groupings: EMPTY })} end`;
  const from = `platform_vendor_grouping ${g}, lateral (select ${asParent} as itself offset 0) p${level}`;
  return list(fields, `${from} where ${g}.${where}`, `${g}.sort_order, ${g}.name, ${g}.id`);
}

const TREE = tree(1, 'vendor_id = v.id and g1.parent_id is null');

/** Vendors, each with the object that stands in all of its groupings. */
function vendors(which: string): string {
  const brief = object({ id: 'v.id62', ...columns('v', VENDOR), groupings: EMPTY });
  return `(select v.*, ${brief} as brief from (select * from platform_vendor v ${which}) v offset 0) v`;
}

/** `$1` items from `$2` on, of all or of those that contain `$3`. */
export function vendorPage(searched: boolean): string {
  const contains = ['name', 'slug', 'description'].map((column) => `strpos(lower(v.${column}), lower($3)) > 0`);
  const where = searched ? `where ${contains.join(' or ')}` : '';
  const order = 'v.sort_order, v.name, v.id';
  const page = vendors(`${where} order by ${order} limit $1::int offset $2::int`);
  const items = list({ id: 'v.id62', ...columns('v', VENDOR), groupings: TREE }, page, order);
  return pageOf(items, `select count(*)::int as count from platform_vendor v ${where}`);
}

export function groupingTree(): string {
  return `select ${TREE}::text from ${vendors('where v.slug = $1')}`;
}

const CONNECTOR =
  'slug name release_status description api_version default_base_url addressing_config traversal ' +
  'ingestion_config_schema integration_class protocol_type rate_limits concurrency_tag_template timeout_seconds ' +
  'field_discovery effort_metadata setup_documentation';

export function connectorPage(): string {
  const parts = {
    supportedAuthStrategies: strategies('c.id'),
    taps: taps('c.id'),
    inboundAuthStrategies: inboundStrategies('c.id'),
  };
  const order = 'c.name, c.slug';
  const page = `(select * from connector c order by ${order} limit $1::int offset $2::int) c`;
  const items = list({ ...audited('c'), ...columns('c', CONNECTOR), ...parts }, page, order);
  return pageOf(items, 'select count(*)::int as count from connector c');
}

function pageOf(items: string, total: string): string {
  const page = object({ items, limit: '$1::int', offset: '$2::int', total: 'total.count' });
  return `select ${page}::text, total.count from (${total}) total`;
}

const GROUPING = 'name slug connector { name slug taps { name } }';

/** A typical query of an internal UI. */
export const NESTED_QUERY = `{
  platformVendors(limit: 50) { items { name slug groupings { ${GROUPING} groupings { ${GROUPING} groupings { ${GROUPING} } } } } }
}`;

const ORDER = 'orderBy: [SORT_ORDER_ASC, NAME_ASC, ROW_ID_ASC]';
const POSTGRAPHILE_GROUPING =
  'name slug connector: connectorByConnectorId { name slug taps: connectorTapsByConnectorIdList(orderBy: POSITION_ASC) { name } }';
const below = (fields: string): string =>
  `groupings: platformVendorGroupingsByParentIdList(${ORDER}) { ${POSTGRAPHILE_GROUPING} ${fields} }`;

/** The same query for PostGraphile, which names fields after tables and columns. */
export const POSTGRAPHILE_QUERY = `{
  items: allPlatformVendorsList(first: 50, ${ORDER}) {
    name slug
    groupings: platformVendorGroupingsByVendorIdList(condition: { parentId: null }, ${ORDER}) {
      ${POSTGRAPHILE_GROUPING} ${below(below(''))}
    }
  }
}`;

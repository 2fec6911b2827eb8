import type { PolicyDef } from '@mikro-orm/core';
import type { Scope } from '../kernel/reading/scoped-query.js';

/** With this setting, a catalog load can access the connections and taps of all workspaces. */
export const CATALOG_LOAD_SCOPE: Scope = { setting: 'taproot.catalog_load', value: 'on' };

/**
 * Every role can change the setting, so the condition also requires the right to write the catalog. The condition is a
 * subquery, because PostgreSQL would evaluate a plain condition once per row instead of once per statement.
 */
const IS_CATALOG_LOAD = `(select current_setting('${CATALOG_LOAD_SCOPE.setting}', true) = '${CATALOG_LOAD_SCOPE.value}' and has_table_privilege('connector_tap', 'insert'))`;

export const CATALOG_LOAD_SELECT_POLICY: PolicyDef = {
  name: 'catalog_load_read',
  command: 'select',
  using: IS_CATALOG_LOAD,
};
export const CATALOG_LOAD_INSERT_POLICY: PolicyDef = {
  name: 'catalog_load_add',
  command: 'insert',
  check: IS_CATALOG_LOAD,
};
export const CATALOG_LOAD_UPDATE_POLICY: PolicyDef = {
  ...{ name: 'catalog_load_link', command: 'update' },
  ...{ using: IS_CATALOG_LOAD, check: IS_CATALOG_LOAD },
};

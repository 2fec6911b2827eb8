import type { PolicyDef } from '@mikro-orm/core';
import type { Scope } from '../kernel/scoped-query.js';

/** The setting under which a load of the catalog, and nothing else, reaches connections and taps of all workspaces. */
export const CATALOG_LOAD: Scope = { setting: 'taproot.catalog_load', value: 'on' };

/** The role that the service logs in as may not write the catalog, so the setting opens nothing to it. */
const IS_LOAD = `current_setting('${CATALOG_LOAD.setting}', true) = '${CATALOG_LOAD.value}' and has_table_privilege('connector_tap', 'insert')`;

export const READ_BY_LOAD: PolicyDef = { name: 'catalog_load_read', command: 'select', using: IS_LOAD };
export const ADD_BY_LOAD: PolicyDef = { name: 'catalog_load_add', command: 'insert', check: IS_LOAD };
export const LINK_BY_LOAD: PolicyDef = {
  ...{ name: 'catalog_load_link', command: 'update' },
  ...{ using: IS_LOAD, check: IS_LOAD },
};

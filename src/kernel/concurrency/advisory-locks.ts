/** Keys of PostgreSQL's advisory locks, by which processes that start together take turns. */
export const MIGRATION_LOCK = 7_461_001;
export const CATALOG_LOCK = 7_461_002;
export const RUNTIME_ROLE_LOCK = 7_461_003;

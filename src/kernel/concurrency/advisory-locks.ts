/** Keys of PostgreSQL advisory locks, which serialize processes that start at the same time. */
export const MIGRATION_LOCK = 7_461_001;
export const CATALOG_LOCK = 7_461_002;
export const RUNTIME_ROLE_LOCK = 7_461_003;

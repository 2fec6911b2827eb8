import type { EntityClass } from '@mikro-orm/core';
import type { JobQueue } from '../jobs/job-queue.js';

/** What a domain contributes to the house. */
export interface DomainManifest {
  readonly entities: readonly EntityClass<object>[];
  readonly resolvers: readonly (new () => object)[];
  /** Its background work, which the database is prepared for before any of it runs. */
  readonly jobs?: readonly JobQueue[];
}

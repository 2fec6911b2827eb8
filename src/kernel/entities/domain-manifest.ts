import type { EntityClass } from '@mikro-orm/core';
import type { DomainJob } from '../jobs/job-queue.js';
import type { ListEdge, RowEdge } from './list-edge.js';

/** `Services` are the services that the domain's jobs require. */
export interface DomainManifest<Services = never> {
  readonly entities: readonly EntityClass<object>[];
  readonly resolvers: readonly (new () => object)[];
  /**
   * GraphQL fields that return rows of the domain. The fields are on types of this domain, and of domains on which it
   * depends.
   */
  readonly lists?: readonly ListEdge[];
  readonly rows?: readonly RowEdge[];
  readonly jobs?: readonly DomainJob<Services>[];
}

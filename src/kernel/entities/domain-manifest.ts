import type { EntityClass } from '@mikro-orm/core';
import type { DomainJob } from '../jobs/job-queue.js';

/** The parts of a domain that the composition registers; `Services` are those that its jobs need. */
export interface DomainManifest<Services = never> {
  readonly entities: readonly EntityClass<object>[];
  readonly resolvers: readonly (new () => object)[];
  readonly jobs?: readonly DomainJob<Services>[];
}

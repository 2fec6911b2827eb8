import type { TapDefinition } from '../../../src/catalog/definitions/definition.js';
import type { IncrementalParams } from '../../../src/catalog/model/tap-sync.js';
import type { GraphqlConfig, RestConfig, TransportOption } from '../../../src/catalog/model/transport-option.js';
import type { TapReading } from '../../../src/syncs/tap-reading.js';

export interface ReadingFields extends Partial<Omit<TapReading, 'tap' | 'option'>> {
  readonly tap?: Partial<TapDefinition>;
  readonly option?: Partial<TransportOption>;
  readonly rest?: RestConfig;
  readonly graphql?: GraphqlConfig;
  readonly pagination?: TransportOption['pagination'];
  readonly incrementalParams?: IncrementalParams;
}

/** By default, the tap reads `/items` with a REST request. */
export function aReading(fields: ReadingFields = {}): TapReading {
  const { tap, option, rest = { endpoint: '/items' }, graphql, pagination, incrementalParams, ...values } = fields;
  const config = graphql
    ? { apiType: 'graphql' as const, graphqlConfig: graphql }
    : { apiType: 'rest' as const, restConfig: rest };
  const built = { ...config, ...(pagination && { pagination }), ...option };
  return {
    tap: {
      name: 'items',
      responseExtraction: {},
      sync: { mode: incrementalParams ? 'incremental' : 'full', incrementalParams },
      transportOptions: [built],
      ...tap,
    } as unknown as TapReading['tap'],
    option: built,
    config: {},
    variables: {},
    parentFields: {},
    ...values,
  };
}

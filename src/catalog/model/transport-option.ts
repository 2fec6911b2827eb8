import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Pagination } from './pagination.js';

export const ApiType = wireEnum('ApiType', 'Style of the source API.', {
  rest: 'Resources over HTTP.',
  graphql: 'A GraphQL endpoint.',
});
export type ApiType = keyof typeof ApiType;

export const BodyEncoding = wireEnum('BodyEncoding', 'How a request body is written.', {
  json: 'JSON.',
  form: 'URL-encoded form.',
  xml: 'XML.',
  text: 'Plain text.',
});
export type BodyEncoding = keyof typeof BodyEncoding;

@PlainObjectType('What an error inside the reply body means.')
export class ErrorBodyRule {
  @OptionalField('JMESPath to the error value.')
  jmesPath?: string;

  @OptionalField('HTTP status that the rule is about.', () => Int)
  statusCode?: number;

  @OptionalField('Values that are worth another try.', () => [String])
  retryValues?: string[];

  @OptionalField('Values after which the request is left out.', () => [String])
  skipValues?: string[];
}

@PlainObjectType('A GraphQL request.')
export class GraphqlConfig {
  @OptionalField('Path of the endpoint.')
  endpoint?: string;

  @OptionalField('The query.')
  query?: string;

  @OptionalField('Operation to run, where the query holds several.')
  operationName?: string;

  @OptionalField('Variables; values may be templates.', () => JsonObject)
  variables?: Record<string, unknown>;
}

@PlainObjectType('Several requests sent as one.')
export class RestBatch {
  @OptionalField('Path that takes the batch.')
  endpoint?: string;

  @OptionalField('Most requests in a batch.', () => Int)
  maxSubRequests?: number;

  @OptionalField('Format of the batch, such as json.')
  format?: string;
}

@PlainObjectType("A filter from the customer's parent data filters, put into the request body.")
export class ParentDataFilterBodyInject {
  @OptionalField('Where in the body.')
  bodyPath?: string;

  @OptionalField('Field of the parent that is filtered on.')
  field?: string;

  @OptionalField('Key of the filter in the body.')
  filterKey?: string;
}

@PlainObjectType("A filter from the customer's parent data filters, put into the query.")
export class ParentDataFilterQueryInject {
  @OptionalField('Field of the parent that is filtered on.')
  field?: string;

  @OptionalField('Key of the filter.')
  filterKey?: string;

  @OptionalField('Query parameter that takes the filter.')
  queryParam?: string;

  @OptionalField('Values in one request.', () => Int)
  chunkSize?: number;

  @OptionalField('Template of one clause.')
  clauseTemplate?: string;

  @OptionalField('Between this filter and others: and, or.')
  combineOperator?: string;

  @OptionalField('Between clauses: and, or.')
  joinOperator?: string;

  @OptionalField('What is done to values first, such as lowercase.')
  normalize?: string;
}

@PlainObjectType('A REST request.')
export class RestConfig {
  @OptionalField('Path below the base address; may hold variables in braces.')
  endpoint?: string;

  @OptionalField('HTTP method; GET by default.')
  method?: string;

  @OptionalField('How the body is written.', () => BodyEncoding)
  bodyEncoding?: BodyEncoding;

  @OptionalField('Headers.', () => JsonObject)
  headers?: Record<string, unknown>;

  @OptionalField('Query parameters.', () => JsonObject)
  queryParams?: Record<string, unknown>;

  @OptionalField('Body; values may be templates.', () => JsonObject)
  requestBody?: Record<string, unknown>;

  @OptionalField('How path variables are encoded, by name.', () => JsonObject)
  pathParamEncodings?: Record<string, unknown>;

  @OptionalField('Set where requests are sent in batches.', () => RestBatch)
  batch?: RestBatch;

  @OptionalField('Parent filter in the body.', () => ParentDataFilterBodyInject)
  parentDataFilterBodyInject?: ParentDataFilterBodyInject;

  @OptionalField('Parent filter in the query.', () => ParentDataFilterQueryInject)
  parentDataFilterQueryInject?: ParentDataFilterQueryInject;
}

@PlainObjectType('One way to read a tap. The lowest priority number is tried first.')
export class TransportOption {
  @RequiredField('Style of the API.', () => ApiType)
  apiType: ApiType;

  @OptionalField('Order among the options of a tap.', () => Int)
  priority?: number;

  @OptionalField('How pages are fetched.', () => Pagination)
  pagination?: Pagination;

  @OptionalField('Code that pages where no type fits.')
  paginationHook?: string;

  @OptionalField('Statuses after which the request is left out.', () => [Int])
  skipOnHttpStatus?: number[];

  @OptionalField('What errors in the body mean.', () => [ErrorBodyRule])
  errorBodyRules?: ErrorBodyRule[];

  @OptionalField('The request, for api type graphql.', () => GraphqlConfig)
  graphqlConfig?: GraphqlConfig;

  @OptionalField('The request, for api type rest.', () => RestConfig)
  restConfig?: RestConfig;
}

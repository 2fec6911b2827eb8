import { Int } from 'type-graphql';
import { Optional, Required, Shape } from '../kernel/columns.js';
import { JsonObject } from '../kernel/scalars.js';
import { wireEnum } from '../kernel/wire-enum.js';
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

@Shape('What an error inside the reply body means.')
export class ErrorBodyRule {
  @Optional('JMESPath to the error value.')
  jmesPath?: string;

  @Optional('HTTP status that the rule is about.', () => Int)
  statusCode?: number;

  @Optional('Values that are worth another try.', () => [String])
  retryValues?: string[];

  @Optional('Values after which the request is left out.', () => [String])
  skipValues?: string[];
}

@Shape('A GraphQL request.')
export class GraphqlConfig {
  @Optional('Path of the endpoint.')
  endpoint?: string;

  @Optional('The query.')
  query?: string;

  @Optional('Operation to run, where the query holds several.')
  operationName?: string;

  @Optional('Variables; values may be templates.', () => JsonObject)
  variables?: Record<string, unknown>;
}

@Shape('Several requests sent as one.')
export class RestBatch {
  @Optional('Path that takes the batch.')
  endpoint?: string;

  @Optional('Most requests in a batch.', () => Int)
  maxSubRequests?: number;

  @Optional('Format of the batch, such as json.')
  format?: string;
}

@Shape("A filter from the customer's parent data filters, put into the request body.")
export class ParentDataFilterBodyInject {
  @Optional('Where in the body.')
  bodyPath?: string;

  @Optional('Field of the parent that is filtered on.')
  field?: string;

  @Optional('Key of the filter in the body.')
  filterKey?: string;
}

@Shape("A filter from the customer's parent data filters, put into the query.")
export class ParentDataFilterQueryInject {
  @Optional('Field of the parent that is filtered on.')
  field?: string;

  @Optional('Key of the filter.')
  filterKey?: string;

  @Optional('Query parameter that takes the filter.')
  queryParam?: string;

  @Optional('Values in one request.', () => Int)
  chunkSize?: number;

  @Optional('Template of one clause.')
  clauseTemplate?: string;

  @Optional('Between this filter and others: and, or.')
  combineOperator?: string;

  @Optional('Between clauses: and, or.')
  joinOperator?: string;

  @Optional('What is done to values first, such as lowercase.')
  normalize?: string;
}

@Shape('A REST request.')
export class RestConfig {
  @Optional('Path below the base address; may hold variables in braces.')
  endpoint?: string;

  @Optional('HTTP method; GET by default.')
  method?: string;

  @Optional('How the body is written.', () => BodyEncoding)
  bodyEncoding?: BodyEncoding;

  @Optional('Headers.', () => JsonObject)
  headers?: Record<string, unknown>;

  @Optional('Query parameters.', () => JsonObject)
  queryParams?: Record<string, unknown>;

  @Optional('Body; values may be templates.', () => JsonObject)
  requestBody?: Record<string, unknown>;

  @Optional('How path variables are encoded, by name.', () => JsonObject)
  pathParamEncodings?: Record<string, unknown>;

  @Optional('Set where requests are sent in batches.', () => RestBatch)
  batch?: RestBatch;

  @Optional('Parent filter in the body.', () => ParentDataFilterBodyInject)
  parentDataFilterBodyInject?: ParentDataFilterBodyInject;

  @Optional('Parent filter in the query.', () => ParentDataFilterQueryInject)
  parentDataFilterQueryInject?: ParentDataFilterQueryInject;
}

@Shape('One way to read a tap. The lowest priority number is tried first.')
export class TransportOption {
  @Required('Style of the API.', () => ApiType)
  apiType: ApiType;

  @Optional('Order among the options of a tap.', () => Int)
  priority?: number;

  @Optional('How pages are fetched.', () => Pagination)
  pagination?: Pagination;

  @Optional('Code that pages where no type fits.')
  paginationHook?: string;

  @Optional('Statuses after which the request is left out.', () => [Int])
  skipOnHttpStatus?: number[];

  @Optional('What errors in the body mean.', () => [ErrorBodyRule])
  errorBodyRules?: ErrorBodyRule[];

  @Optional('The request, for api type graphql.', () => GraphqlConfig)
  graphqlConfig?: GraphqlConfig;

  @Optional('The request, for api type rest.', () => RestConfig)
  restConfig?: RestConfig;
}

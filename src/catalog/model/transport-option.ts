import { Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { JsonObject } from '../../kernel/entities/scalars.js';
import { wireEnum } from '../../kernel/entities/wire-enum.js';
import { Pagination } from './pagination.js';
import { SyncErrorClass } from './sync-error-class.js';

export const ApiType = wireEnum('ApiType', 'Style of the source API.', {
  rest: 'REST.',
  graphql: 'GraphQL.',
});
export type ApiType = keyof typeof ApiType;

export const BodyEncoding = wireEnum('BodyEncoding', 'Encoding of a request body.', {
  json: 'JSON.',
  form: 'URL-encoded form.',
  xml: 'XML.',
  text: 'Plain text.',
});
export type BodyEncoding = keyof typeof BodyEncoding;

export const ErrorAction = wireEnum('ErrorAction', 'What a run does with a response that an error rule matches.', {
  retry: 'Repeats the request, with backoff.',
  wait: 'Repeats the request after the time that the source names. Delays all requests to the source.',
  refresh_session: 'Obtains a new session and repeats the request once.',
  reset_paging: 'Starts again at the first page, at most three times.',
  skip: 'Continues without the records of the request.',
  skip_tap: 'Ends the run of the tap. The sync continues with its other taps.',
  fail: 'Stops the run of the tap, or the whole sync if `errorClass` is `credential`. The table keeps the rows that are already committed. In mode `replace`, the table keeps the rows that it had before the run.',
});
export type ErrorAction = keyof typeof ErrorAction;

@PlainObjectType('A rule for errors in the response body.')
export class ErrorBodyRule {
  @OptionalField('JMESPath to the error value.')
  jmesPath?: string;

  @OptionalField('HTTP status that the rule matches. Matches any status by default.', () => Int)
  statusCode?: number;

  @OptionalField('Error values after which the service repeats the request.', () => [String])
  retryValues?: string[];

  @OptionalField('Error values after which the run continues without the records of the request.', () => [String])
  skipValues?: string[];

  @OptionalField(
    'Error values to which `action` applies. Without `values`, `action` applies to all responses that meet the other conditions.',
    () => [String],
  )
  values?: string[];

  @OptionalField(
    'Condition on the response body, as a JMESPath expression. If the body is not JSON, the expression applies to its text.',
  )
  when?: string;

  @OptionalField('What the run does with a response that the rule matches.', () => ErrorAction)
  action?: ErrorAction;

  @OptionalField(
    'Class of the failure. The default depends on the action: `vendor_unavailable` for `retry` and `reset_paging`, `rate_limited` for `wait`, `credential` for `refresh_session`, `permission` for `skip` and `skip_tap`, and `contract` for `fail`.',
    () => SyncErrorClass,
  )
  errorClass?: SyncErrorClass;

  @OptionalField('Message that describes the failure to the customer. Defaults to a standard message for the action.')
  message?: string;
}

@PlainObjectType('A GraphQL request.')
export class GraphqlConfig {
  @OptionalField('Path of the endpoint.')
  endpoint?: string;

  @OptionalField('GraphQL query or mutation.')
  query?: string;

  @OptionalField('Operation to run, if the query contains several.')
  operationName?: string;

  @OptionalField('Variables of the query. Values may be templates.', () => JsonObject)
  variables?: Record<string, unknown>;
}

@PlainObjectType(
  'Settings of a batch: one request that contains the requests of several slices, such as the requests for 20 parent records.',
)
export class RestBatch {
  @OptionalField('Path of the batch endpoint.')
  endpoint?: string;

  @OptionalField('Maximum number of requests in a batch. Defaults to 20.', () => Int)
  maxSubRequests?: number;

  @OptionalField('Format of the batch: `json` (default, JSON batching of Microsoft Graph) or `salesforce_composite`.')
  format?: string;
}

@PlainObjectType('A filter in the request body that selects the child records of several parent records.')
export class ParentDataFilterBodyInject {
  @OptionalField('Path in the body to the list of values. With `filterKey`, path to the object that contains the list.')
  bodyPath?: string;

  @OptionalField(
    'Field of the parent records. The request contains the values of this field. Overrides `parentKeyField` of the traversal edge.',
  )
  field?: string;

  @OptionalField('Name of the list in the object at `bodyPath`.')
  filterKey?: string;

  @OptionalField('Maximum number of values in one request. Defaults to 50.', () => Int)
  chunkSize?: number;
}

@PlainObjectType('A filter in the query string that selects the child records of several parent records.')
export class ParentDataFilterQueryInject {
  @OptionalField(
    'Field of the parent records. The request contains the values of this field. Overrides `parentKeyField` of the traversal edge.',
  )
  field?: string;

  @OptionalField('Value of `{filterKey}` in `clauseTemplate`, such as the name of a field at the source.')
  filterKey?: string;

  @OptionalField('Query parameter that receives the filter.')
  queryParam?: string;

  @OptionalField('Maximum number of values in one request. Defaults to 50.', () => Int)
  chunkSize?: number;

  @OptionalField(
    'Template of the clause for one value, with `{filterKey}` and `{value}`. Without a template, the parameter is a comma-separated list of values.',
  )
  clauseTemplate?: string;

  @OptionalField(
    'Operator between the clauses and the text that the parameter already contains: `and` (default) or `or`.',
  )
  combineOperator?: string;

  @OptionalField('Operator between clauses: `or` (default) or `and`.')
  joinOperator?: string;

  @OptionalField('Case to which the values are converted: `lowercase` or `uppercase`.')
  normalize?: string;
}

@PlainObjectType('A REST request.')
export class RestConfig {
  @OptionalField('Path below the base URL. May contain variables in braces.')
  endpoint?: string;

  @OptionalField('HTTP method. Defaults to GET.')
  method?: string;

  @OptionalField('Encoding of the body. Defaults to `json`.', () => BodyEncoding)
  bodyEncoding?: BodyEncoding;

  @OptionalField('Headers of the request. Values may be templates.', () => JsonObject)
  headers?: Record<string, unknown>;

  @OptionalField('Query parameters of the request. Values may be templates.', () => JsonObject)
  queryParams?: Record<string, unknown>;

  @OptionalField(
    'Body of the request. Values may be templates. If `bodyEncoding` is `xml` or `text`, the member `text` contains the body.',
    () => JsonObject,
  )
  requestBody?: Record<string, unknown>;

  @OptionalField(
    'Encodings of path variables, by the name of the variable. By default, values are percent-encoded. With `none`, slashes in the value separate path segments. All other settings have the effect of the default.',
    () => JsonObject,
  )
  pathParamEncodings?: Record<string, unknown>;

  @OptionalField('Batch settings, if the service sends the requests in batches.', () => RestBatch)
  batch?: RestBatch;

  @OptionalField(
    'Filter that the service adds to the body, to read the children of several parent records with one request.',
    () => ParentDataFilterBodyInject,
  )
  parentDataFilterBodyInject?: ParentDataFilterBodyInject;

  @OptionalField(
    'Filter that the service adds to the query string, to read the children of several parent records with one request.',
    () => ParentDataFilterQueryInject,
  )
  parentDataFilterQueryInject?: ParentDataFilterQueryInject;
}

@PlainObjectType(
  'A request that reads a tap. The service tries the option with the lowest `priority` first. If the first page of a slice fails with a permission, configuration or contract error, the service tries the next option.',
)
export class TransportOption {
  @RequiredField('Style of the API.', () => ApiType)
  apiType: ApiType;

  @OptionalField('The service starts with the option that has the lowest `priority`. Defaults to 0.', () => Int)
  priority?: number;

  @OptionalField('Pagination of the request.', () => Pagination)
  pagination?: Pagination;

  @OptionalField(
    'Name of an external function that requests the pages of the tap. The service cannot run this function, so runs of a tap with this setting fail.',
  )
  paginationHook?: string;

  @OptionalField('HTTP statuses after which the run skips the slice and continues with the next slice.', () => [Int])
  skipOnHttpStatus?: number[];

  @OptionalField('Rules for errors in the response body.', () => [ErrorBodyRule])
  errorBodyRules?: ErrorBodyRule[];

  @OptionalField('The request, if `apiType` is `graphql`.', () => GraphqlConfig)
  graphqlConfig?: GraphqlConfig;

  @OptionalField('The request, if `apiType` is `rest`.', () => RestConfig)
  restConfig?: RestConfig;
}

/**
 * The constants of this file are paths to settings whose values have a syntax, such as JMESPath. `selectValues` reads
 * these paths.
 */

const PAGINATIONS = ['transportOptions.*.pagination', 'sync.asyncQuery.recordsPagination'];

function ofPaginations(...paths: string[]): string[] {
  return PAGINATIONS.flatMap((pagination) => paths.map((path) => `${pagination}.${path}`));
}

export const TAP_EXPRESSIONS: readonly string[] = [
  'responseExtraction.recordFilter',
  'responseExtraction.recordParts.completePath',
  'responseExtraction.transform.*.set.*',
  'transportOptions.*.errorBodyRules.*.when',
  ...['responsePath', 'responsePathFallback', 'responseValidation.errorField', 'responseValidation.okField'].map(
    (path) => `responseExtraction.${path}`,
  ),
  ...['queryIdPath', 'recordsResponsePath', 'statusPath', 'externalLinksPath'].map((path) => `sync.asyncQuery.${path}`),
  'sync.onCursorExpired.jmesPath',
  'transportOptions.*.errorBodyRules.*.jmesPath',
  ...ofPaginations(
    ...['cursorPath', 'hasMorePath', 'nextCursorPath', 'nextDataPath'].map((path) => `cursor.${path}`),
    ...['offset.hasMorePath', 'offset.nextPageLinkPath', 'offset.totalPath'],
    ...['pageNumber.hasMorePath', 'pageNumber.totalPagesPath', 'pageNumber.totalPath'],
    ...['sessionPage.sessionIdPath', 'sessionPage.totalPagesPath'],
  ),
];

/** Settings that are paths into a request body or a record, such as `filters[0].value`. */
export const TAP_JSON_PATHS: readonly string[] = [
  'sync.incrementalParams.bodyFilterPath',
  'sync.incrementalParams.bodyFilterEndPath',
  'transportOptions.*.restConfig.parentDataFilterBodyInject.bodyPath',
  ...ofPaginations('cursor.cursorBodyPath', 'restart.bodyPath', 'restart.keyField'),
];

export const TAP_TIME_FORMATS: readonly string[] = ['sinceFormat', 'untilFormat', 'bodyFilterFormat'].map(
  (name) => `sync.incrementalParams.${name}`,
);

export const TAP_CURSOR_FORMATS: readonly string[] = ['sync.cursorValueFormat'];
export const TAP_KEY_ALGORITHMS: readonly string[] = ['responseExtraction.syntheticPrimaryKey.algorithm'];
export const TAP_FIELD_PATTERNS: readonly string[] = ['customFields.knownCustomFieldKeyPatterns.*'];

/** Settings that are paths of URLs and may contain address variables. */
export const TAP_ADDRESSES: readonly string[] = [
  'transportOptions.*.restConfig.endpoint',
  'transportOptions.*.restConfig.batch.endpoint',
  'transportOptions.*.graphqlConfig.endpoint',
  'sync.asyncQuery.statusEndpoint',
  'sync.asyncQuery.recordsEndpoint',
  ...ofPaginations('sessionPage.pagePath'),
];

export const TAP_TEMPLATES: readonly string[] = [
  'transportOptions.*.restConfig.headers.**',
  'transportOptions.*.restConfig.queryParams.**',
  'transportOptions.*.restConfig.requestBody.**',
  'transportOptions.*.graphqlConfig.variables.**',
  'sync.asyncQuery.recordsQueryParams.**',
  'sync.incrementalParams.queryTemplate',
  'sync.incrementalParams.bodyFilterTemplate',
];

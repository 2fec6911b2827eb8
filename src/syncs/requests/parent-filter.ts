import type {
  ParentDataFilterBodyInject,
  ParentDataFilterQueryInject,
  TransportOption,
} from '../../catalog/model/transport-option.js';
import { TapReadError } from '../tap-read-error.js';
import type { TapReading } from '../tap-reading.js';
import { fillTemplates } from './fill-templates.js';
import { type RequestDraft, withBodyValue, withParameter } from './request-draft.js';

/** Name of the variable that contains the values of several parent records, as a JSON list of strings. */
export const PARENT_VALUES = 'parentValues';

const DEFAULT_CHUNK_SIZE = 50;

const NORMALIZATIONS: Readonly<Record<string, (value: string) => string>> = {
  lowercase: (value) => value.toLowerCase(),
  uppercase: (value) => value.toUpperCase(),
};

export interface ParentFilter {
  readonly field: string;
  readonly chunkSize: number;
  readonly query: ParentDataFilterQueryInject | undefined;
  readonly body: ParentDataFilterBodyInject | undefined;
}

/** Returns undefined for a tap that a sync reads once per parent record. */
export function parentFilterOf(options: readonly TransportOption[]): ParentFilter | undefined {
  const configs = options.map(({ restConfig }) => restConfig);
  const query = configs.find((config) => config?.parentDataFilterQueryInject)?.parentDataFilterQueryInject;
  const body = configs.find((config) => config?.parentDataFilterBodyInject)?.parentDataFilterBodyInject;
  const field = query?.field ?? body?.field;
  if (field === undefined) return undefined;
  return { field, query, body, chunkSize: query?.chunkSize ?? body?.chunkSize ?? DEFAULT_CHUNK_SIZE };
}

/** Throws `TapReadError` for a value that could change the meaning of the request. */
export function withParentFilter(draft: RequestDraft, { option, variables }: TapReading): RequestDraft {
  const filter = parentFilterOf([option]);
  const values = variables[PARENT_VALUES];
  if (!filter || values === undefined) return draft;
  return withFilter(draft, filter, JSON.parse(values) as string[]);
}

export function normalized({ query }: ParentFilter, value: string): string {
  return NORMALIZATIONS[query?.normalize ?? '']?.(value) ?? value;
}

/** Returns whether a request can contain the value together with other values. */
export function fitsFilter(filter: ParentFilter, value: string): boolean {
  try {
    withFilter({ method: 'POST', path: '', headers: {}, query: {}, isGraphql: false }, filter, [value]);
    return filter.query?.clauseTemplate != null || !value.includes(',');
  } catch (error) {
    if (error instanceof TapReadError) return false;
    throw error;
  }
}

function withFilter(draft: RequestDraft, { query, body }: ParentFilter, values: readonly string[]): RequestDraft {
  const placed = query?.queryParam ? withQueryFilter(draft, query, values) : draft;
  if (!body?.bodyPath) return placed;
  const path = body.filterKey ? `${body.bodyPath}.${JSON.stringify(body.filterKey)}` : body.bodyPath;
  return withBodyValue(placed, path, values);
}

function withQueryFilter(
  draft: RequestDraft,
  {
    queryParam = '',
    filterKey,
    clauseTemplate,
    joinOperator = 'or',
    combineOperator = 'and',
  }: ParentDataFilterQueryInject,
  values: readonly string[],
): RequestDraft {
  if (!clauseTemplate) return withParameter(draft, queryParam, values.join(','));
  const clauses = values.map((value) => fillTemplates(clauseTemplate, (name) => ({ filterKey, value })[name]));
  const joined = clauses.length > 1 ? `(${clauses.join(` ${joinOperator} `)})` : `${clauses[0]}`;
  const others = draft.query[queryParam];
  // The filter comes first, because a query can end with the sort order of the records.
  return withParameter(draft, queryParam, others ? `${joined} ${combineOperator} ${others}` : joined);
}

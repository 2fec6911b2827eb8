import type { OpenApiOperation } from '../../catalog-compare/described-operation.js';
import { toSnakeCase, uniqueName } from '../names.js';
import type { Notes } from '../notes.js';
import { findRecordList, type RecordList } from './record-list.js';

/** A GET operation whose response has a list of records. */
export interface ListOperation extends RecordList {
  readonly name: string;
  readonly operation: OpenApiOperation;
  readonly variables: readonly string[];
}

/** Path segments that do not describe the records. */
const NEUTRAL_SEGMENT = /^(v?\d[\w.-]*|api|rest)$/i;

/** Returns operations without path variables first. */
export function listOperations(operations: readonly OpenApiOperation[], notes: Notes): ListOperation[] {
  const taken = new Set<string>();
  const lists = operations
    .filter(({ method }) => method === 'GET')
    .flatMap((operation) => {
      const variables = [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name as string);
      const segments = fixedSegments(operation.path);
      const { response, resolve, pointer } = operation;
      // A path that ends with a variable selects one record.
      const list = operation.path.endsWith('}') ? undefined : findRecordList(response, segments.at(-1) ?? '', resolve);
      if (!list) return [];
      if (operation.definition.deprecated === true) {
        notes.todo(`GET ${operation.path}`, pointer, 'the operation is deprecated; the draft omits it');
        return [];
      }
      return [{ operation, variables, segments, ...list }];
    });
  return lists
    .toSorted((a, b) => a.variables.length - b.variables.length)
    .map(({ segments, ...list }) => {
      const short = toSnakeCase(segments.at(-1) ?? 'records');
      const long = toSnakeCase(segments.slice(-2).join(' ') || 'records');
      return { ...list, name: uniqueName(taken.has(short) ? long : short, taken, '_') };
    });
}

function fixedSegments(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment && !segment.includes('{'));
  const [last = '', ...others] = segments.map((segment) => segment.replace(/\.json$/, '')).toReversed();
  const named = [last, ...others].filter((segment) => segment && !NEUTRAL_SEGMENT.test(segment)).toReversed();
  return named;
}

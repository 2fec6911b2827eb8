import { type GraphQLSchema, parse, validate } from 'graphql';
import type { ConnectorDefinition, TapDefinition } from '../../src/catalog/definitions/definition.js';
import { compareRecords, type Difference } from './compare-records.js';
import { type DescribedOperation, findOperations } from './described-operation.js';
import { propertiesOf } from './json-schema.js';
import { type TapCall, tapCallsOf, verificationCalls } from './tap-calls.js';

export interface Description {
  readonly operations: readonly DescribedOperation[];
  readonly graphql: readonly GraphQLSchema[];
}

export interface Comparison {
  readonly differences: readonly (Difference & { readonly tap: string })[];
  readonly tapsCompared: number;
  readonly tapsWithRecordsCompared: number;
}

/** Lists the calls, parameters, queries and fields of a connector that do not match the description. */
export function compareConnector(connector: ConnectorDefinition, description: Description): Comparison {
  const differences: (Difference & { tap: string })[] = [];
  let [tapsCompared, tapsWithRecordsCompared] = [0, 0];
  for (const call of verificationCalls(connector)) {
    if (!description.operations.length) break;
    const found = findOperation(connector, description, call);
    if ('kind' in found) differences.push({ tap: 'verification', ...found });
    else differences.push(...compareParameters(call, found).map((one) => ({ tap: 'verification', ...one })));
  }
  for (const tap of connector.taps) {
    const results = [...compareTapCalls(connector, tap, description), ...compareQueries(tap, description)];
    if (results.length) tapsCompared++;
    if (results.some(({ hasRecords }) => hasRecords)) tapsWithRecordsCompared++;
    differences.push(...results.flatMap(({ found }) => found.map((one) => ({ tap: tap.name, ...one }))));
  }
  return { differences: unique(differences), tapsCompared, tapsWithRecordsCompared };
}

interface Result {
  readonly found: readonly Difference[];
  readonly hasRecords: boolean;
}

function compareTapCalls(connector: ConnectorDefinition, tap: TapDefinition, description: Description): Result[] {
  if (!description.operations.length) return [];
  return tapCallsOf(tap).map((call) => {
    const operation = findOperation(connector, description, call);
    if ('kind' in operation) return { found: [operation], hasRecords: false };
    const records = call.hasRecords ? compareRecords(connector, tap, operation) : undefined;
    const scopes = call.hasRecords ? compareScopes(tap, operation) : [];
    return {
      found: [...compareParameters(call, operation), ...scopes, ...(records ?? [])],
      hasRecords: records !== undefined,
    };
  });
}

/** Validates the queries, including the fields of the records, against the vendor's GraphQL schema. */
function compareQueries(tap: TapDefinition, { graphql }: Description): Result[] {
  return tap.transportOptions.flatMap(({ graphqlConfig, pagination }) =>
    [graphqlConfig?.query, pagination?.cursor?.nextQuery].flatMap((query) => {
      if (!query || !graphql.length) return [];
      const errors = graphql.map((schema) => validate(schema, parse(query)));
      const fewest = errors.toSorted((a, b) => a.length - b.length)[0] ?? [];
      return [{ found: fewest.map(({ message }) => ({ kind: 'query', message }) as const), hasRecords: true }];
    }),
  );
}

function findOperation(
  connector: ConnectorDefinition,
  { operations }: Description,
  { method, path, severalSegments }: TapCall,
): DescribedOperation | Difference {
  const fitting = basePathsOf(connector).flatMap((base) => findOperations(operations, base + path, severalSegments));
  const operation = fitting.find((one) => one.method === method.toUpperCase());
  if (operation) return operation;
  if (!fitting.length) return { kind: 'path', message: `${path} is not described` };
  return { kind: 'method', message: `${path} accepts ${fitting.map((one) => one.method).join(', ')}, not ${method}` };
}

function basePathsOf({ defaultBaseUrl, addressingConfig, supportedAuthStrategies }: ConnectorDefinition): string[] {
  const given = [{ defaultBaseUrl, addressingConfig }, ...supportedAuthStrategies].flatMap((part) => [
    part.defaultBaseUrl?.replace(/^\w+:\/\/[^/]*/, ''),
    part.addressingConfig && (part.addressingConfig.basePath ?? ''),
  ]);
  return [...new Set(given.filter((path) => typeof path === 'string').map((path) => path.replace(/\/$/, '')))];
}

function compareParameters({ query, bodyFields, method, path }: TapCall, operation: DescribedOperation): Difference[] {
  const call = `${method} ${path}`;
  const inQuery = [...query].flatMap(([name, value]): Difference[] => {
    const described = operation.query.get(name) ?? operation.query.get(name.replace(/\[.*/, ''));
    if (!described) return [{ kind: 'parameter', message: `${name} is not a query parameter of ${call}` }];
    const maximum = Number(described.maximum ?? Number.POSITIVE_INFINITY);
    if (typeof value !== 'number' || value <= maximum) return [];
    return [{ kind: 'parameter', message: `${name} of ${call} is ${value}; the maximum is ${maximum}` }];
  });
  const properties = propertiesOf(operation.body, operation.resolve);
  const unknown = properties ? bodyFields.filter((name) => !properties.has(name)) : [];
  return [
    ...inQuery,
    ...unknown.map((name) => ({ kind: 'parameter', message: `${name} is not a body parameter of ${call}` }) as const),
  ];
}

function compareScopes({ sync }: TapDefinition, { scopes }: DescribedOperation): Difference[] {
  if (!scopes || !sync.scopes || sync.scopes.some((scope) => scopes.includes(scope))) return [];
  return [{ kind: 'scope', message: `the description requires a scope other than ${sync.scopes.join(', ')}` }];
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

import { describe, expect, it } from 'vitest';
import type { RestConfig } from '../../../src/catalog/model/transport-option.js';
import { ParentGroups } from '../../../src/syncs/reading/group-parents.js';
import { buildTapRequest } from '../../../src/syncs/requests/build-tap-request.js';
import { aReading } from '../../support/syncs/tap-reading.js';

const EDGE = { from: 'users', to: 'logins', parentKeyField: 'id' };

function groupsOf(restConfig: RestConfig, ...batches: string[][]): string[][] {
  const groups = ParentGroups.of([{ apiType: 'rest', restConfig }], EDGE);
  if (!groups) throw new Error('the tap has no filter');
  const scopes = batches.flatMap((values) => [
    ...groups.add(values.map((id) => ({ variables: { id }, parentFields: {} }))),
  ]);
  return [...scopes, ...groups.end()].map(({ variables }) => JSON.parse(variables.parentValues as string));
}

function requestOf(rest: RestConfig, ...values: string[]) {
  return buildTapRequest(aReading({ rest, variables: { parentValues: JSON.stringify(values) } }));
}

describe('the groups of parents', () => {
  const clauseTemplate = '{filterKey} eq "{value}"';
  const filter = { field: 'email', queryParam: 'filter', filterKey: 'actor', clauseTemplate, chunkSize: 2 };
  const grouped = (changes: object, ...batches: string[][]) =>
    groupsOf({ parentDataFilterQueryInject: { ...filter, ...changes } }, ...batches);

  it('have chunkSize values across batches, and 50 by default', () => {
    expect(grouped({}, ['a', 'b', 'c'], ['d', 'e'])).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    const many = Array.from({ length: 70 }, (_, at) => `${at}`);
    expect(grouped({ chunkSize: undefined }, many).map(({ length }) => length)).toEqual([50, 20]);
  });

  it('contain each value once, after normalization', () =>
    expect(grouped({ normalize: 'lowercase' }, ['A@x', 'a@x', 'B'])).toEqual([['a@x', 'b']]));

  it('have one value if it could change the meaning of the request', () => {
    expect(grouped({}, ['a', 'b" or x eq "', 'c'])).toEqual([['b" or x eq "'], ['a', 'c']]);
    expect(grouped({ clauseTemplate: undefined }, ['a', 'b,c', 'd'])).toEqual([['b,c'], ['a', 'd']]);
  });

  it('keep the fields of the parent if each has one value', () => {
    const groups = ParentGroups.of(
      [{ apiType: 'rest', restConfig: { parentDataFilterQueryInject: { ...filter, chunkSize: 1 } } }],
      EDGE,
    );
    const parentFields = { name: 'Ann' };
    expect([...(groups?.add([{ variables: { id: 'a' }, parentFields }]) ?? [])]).toEqual([
      { variables: { parentValues: '["a"]' }, parentFields },
    ]);
  });

  it('do not exist for a tap without a filter', () =>
    expect(ParentGroups.of([{ apiType: 'rest', restConfig: {} }], EDGE)).toBeUndefined());

  it('have the field of the filter as the key, and the variable of the edge', () => {
    const groups = ParentGroups.of([{ apiType: 'rest', restConfig: { parentDataFilterQueryInject: filter } }], EDGE);
    expect(groups?.keyedBy(EDGE)).toMatchObject({ parentKeyField: 'email', templateVariable: 'id' });
  });
});

describe('the request for several parents', () => {
  it('has a list with commas without a template', () =>
    expect(requestOf({ parentDataFilterQueryInject: { field: 'id', queryParam: 'ids' } }, '1', '2').query).toEqual({
      ids: '1,2',
    }));

  it('joins clauses, and combines them with the other text of the parameter', () => {
    const parentDataFilterQueryInject = {
      ...{ field: 'key', queryParam: 'jql', filterKey: 'project', clauseTemplate: '{filterKey} = "{value}"' },
    };
    const rest = { parentDataFilterQueryInject, queryParams: { jql: 'updated >= -1d order by key' } };
    expect(requestOf(rest, 'A', 'B').query?.jql).toBe(
      '(project = "A" or project = "B") and updated >= -1d order by key',
    );
    expect(requestOf({ parentDataFilterQueryInject }, 'A').query?.jql).toBe('project = "A"');
    const other = { ...parentDataFilterQueryInject, joinOperator: 'and', combineOperator: 'or' };
    expect(requestOf({ ...rest, parentDataFilterQueryInject: other }, 'A', 'B').query?.jql).toBe(
      '(project = "A" and project = "B") or updated >= -1d order by key',
    );
  });

  it('has the values in the body, and keeps the other members', () => {
    const rest = { endpoint: '/search', method: 'POST', requestBody: { filter: { type: 'x' } } };
    const inject = (filterKey?: string) => ({
      ...rest,
      parentDataFilterBodyInject: {
        field: 'id',
        bodyPath: filterKey ? 'filter' : 'filter.ids',
        ...(filterKey && { filterKey }),
      },
    });
    expect(requestOf(inject('user.ids'), '1', '2').json).toEqual({ filter: { type: 'x', 'user.ids': ['1', '2'] } });
    expect(requestOf(inject(), '1', '2').json).toEqual({ filter: { type: 'x', ids: ['1', '2'] } });
  });

  it('fails for a value that could change its meaning', () => {
    const parentDataFilterQueryInject = { field: 'id', queryParam: 'q', clauseTemplate: 'id = {value}' };
    expect(() => requestOf({ parentDataFilterQueryInject }, '1 or 1=1')).toThrow('change the meaning');
  });
});

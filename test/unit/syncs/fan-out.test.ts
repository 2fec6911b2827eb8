import { describe, expect, it } from 'vitest';
import type { Traversal } from '../../../src/catalog/model/traversal.js';
import { fanOut } from '../../../src/syncs/reading/fan-out.js';
import { combineScopes, groupEdges } from '../../../src/syncs/reading/group-edges.js';
import type { SliceScope } from '../../../src/syncs/tap-reading.js';
import { aReading } from '../../support/syncs/tap-reading.js';

const traversal: Traversal = {
  rootTaps: ['items'],
  configFanouts: [{ configField: 'sites', templateVariable: 'site', targetField: 'site_name' }],
  staticFanouts: [
    { templateVariable: 'kind', values: ['order', 'refund'], targetField: 'kind' },
    { templateVariable: 'region', values: ['eu', 'us'] },
  ],
};
const config = { sites: 'a, b,, a' };

function scopesOf(endpoint: string, scope?: SliceScope, sync = {}): SliceScope[] {
  const reading = aReading({ rest: { endpoint }, config, tap: { sync: { mode: 'full', ...sync } } });
  return [...fanOut(traversal, reading, scope)];
}
const variablesOf = (endpoint: string, scope?: SliceScope, sync = {}) =>
  scopesOf(endpoint, scope, sync).map(({ variables }) => Object.values(variables).join(' '));

describe('the fan-out of a tap', () => {
  it('is one scope if the requests contain no variable of a fan-out', () => {
    expect(scopesOf('/items')).toEqual([{ variables: {}, parentFields: {} }]);
    expect(scopesOf('/items?q={{kind}}')).toHaveLength(1);
  });

  it('has one scope per distinct item, which records can contain', () => {
    expect(scopesOf('/{site}/items')).toEqual([
      { variables: { site: 'a' }, parentFields: { site_name: 'a' } },
      { variables: { site: 'b' }, parentFields: { site_name: 'b' } },
    ]);
    expect(scopesOf('/{region}')).toEqual([
      { variables: { region: 'eu' }, parentFields: {} },
      { variables: { region: 'us' }, parentFields: {} },
    ]);
  });

  it('combines all items of several fan-outs', () =>
    expect(variablesOf('/{site}/{kind}')).toEqual(['a order', 'a refund', 'b order', 'b refund']));

  it('uses variables in the query of a window', () => {
    const incrementalParams = { queryParam: 'q', queryTemplate: "kind = '{kind}'" };
    expect(variablesOf('/items', undefined, { incrementalParams })).toEqual(['order', 'refund']);
  });

  it('splits the scope of a parent record, unless the parent supplies the variable', () => {
    const parent = { variables: { site: 'c', id: '1' }, parentFields: { owner: 'o' } };
    expect(scopesOf('/{site}/{id}/{kind}', parent)).toEqual([
      { variables: { site: 'c', id: '1', kind: 'order' }, parentFields: { owner: 'o', kind: 'order' } },
      { variables: { site: 'c', id: '1', kind: 'refund' }, parentFields: { owner: 'o', kind: 'refund' } },
    ]);
  });

  it('does not hold all combinations in memory', () => {
    const values = Array.from({ length: 1_000 }, (_, nth) => `${nth}`);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const staticFanouts = names.map((templateVariable) => ({ templateVariable, values }));
    const reading = aReading({ rest: { endpoint: '/{a}/{b}/{c}/{d}/{e}' } });
    const { value } = fanOut({ rootTaps: [], staticFanouts }, reading).next();
    expect(value?.variables).toEqual({ a: '0', b: '0', c: '0', d: '0', e: '0' });
    const { done } = combineScopes(
      names.map(() => values.map((id) => ({ variables: { id }, parentFields: {} }))),
    ).next();
    expect(done).toBe(false);
  });

  it('has no scope without items', () => {
    const reading = aReading({ rest: { endpoint: '/{site}' }, config: { sites: '' } });
    expect([...fanOut(traversal, reading)]).toEqual([]);
  });
});

describe('several parents of a tap', () => {
  const edge = (from: string, templateVariable?: string) => ({
    ...{ from, to: 'c', parentKeyField: 'id' },
    ...(templateVariable && { templateVariable }),
  });

  it('are alternatives if they supply the same variable', () =>
    expect(groupEdges([edge('a'), edge('b'), edge('d', 'id')])).toHaveLength(1));

  it('combine if they supply different variables', () => {
    expect(groupEdges([edge('a', 'x'), edge('b', 'y')])).toHaveLength(2);
    const scope = (name: string, value: string) => ({
      variables: { [name]: value },
      parentFields: { [`${name}_field`]: value },
    });
    expect([...combineScopes([[scope('x', '1'), scope('x', '2')], [scope('y', '3')]])]).toEqual([
      { variables: { x: '1', y: '3' }, parentFields: { x_field: '1', y_field: '3' } },
      { variables: { x: '2', y: '3' }, parentFields: { x_field: '2', y_field: '3' } },
    ]);
    expect([...combineScopes([[scope('x', '1')], []])]).toEqual([]);
  });
});

import type { DefinitionPath } from './definition.js';

export type PlacedValue = readonly [at: DefinitionPath, value: unknown];

/**
 * `path` consists of names separated by dots. `*` matches all elements of a list and all members of an object. `**` at
 * the end matches all strings at any depth.
 */
export function selectValues(value: unknown, path: string): PlacedValue[] {
  return path
    .split('.')
    .reduce<PlacedValue[]>(
      (found, name) => found.flatMap(([at, one]) => (name === '**' ? textsIn(one, at) : membersOf(one, name, at))),
      [[[], value]],
    );
}

function membersOf(value: unknown, name: string, at: DefinitionPath): PlacedValue[] {
  return entriesOf(value)
    .filter(([key]) => name === '*' || key === name)
    .map(([key, member]) => [[...at, key], member]);
}

function textsIn(value: unknown, at: DefinitionPath): PlacedValue[] {
  if (typeof value === 'string') return [[at, value]];
  return entriesOf(value).flatMap(([key, member]) => textsIn(member, [...at, key]));
}

function entriesOf(value: unknown): [string | number, unknown][] {
  if (value === null || typeof value !== 'object') return [];
  return Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value).filter(([, member]) => member !== undefined);
}

import { describe, expect, it } from 'vitest';
import { namesOfFields, namesOfOperations } from '../support/isolation/isolation-calls.js';
import { ISOLATION_CASES } from '../support/isolation/isolation-cases.js';
import { itIsolatesTenants } from '../support/isolation/tenant-isolation.js';
import { aConnectedWorkspace } from '../support/sources/connected-workspace.js';

describe('the cases', () => {
  it('cover exactly the root fields and, in their arguments, every position of an id', () => {
    expect(Object.keys(ISOLATION_CASES).sort()).toEqual(namesOfFields());
    expect(Object.keys(ISOLATION_CASES).length).toBeGreaterThan(20);
  });

  it('cover exactly the REST operations and every position of an id', () => {
    const named = Object.entries(ISOLATION_CASES)
      .filter(([, { rest }]) => rest)
      .map(([name, { rest }]) => [rest, name.split('.').at(1)].filter(Boolean).join(' '));
    expect(named.sort()).toEqual(namesOfOperations());
    expect(named.length).toBeGreaterThan(10);
  });
});

const connected = await aConnectedWorkspace();

describe('with tenant filters and row level security', () => itIsolatesTenants(connected, true));

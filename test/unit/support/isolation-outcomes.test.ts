import { describe, expect, it } from 'vitest';
import { type IsolationRequest, outcomeOfReply } from '../../support/isolation/isolation-calls.js';
import type { IsolationCase, IsolationOutcome } from '../../support/isolation/isolation-cases.js';
import { type IsolationTarget, outcomeForStranger } from '../../support/isolation/isolation-targets.js';

function aCall(isRest: boolean, theCase: Partial<IsolationCase> = {}): IsolationRequest {
  return {
    title: 'a call',
    isRest,
    theCase: { fits: () => true, ...theCase },
    request: () => ({ method: '', path: '' }),
  };
}

function aTarget(isMalformed: boolean): IsolationTarget {
  return { name: 'a target', id: 'id', outcome: 'ok', variables: {}, isMalformed, isRepeated: isMalformed };
}

describe('the outcome for a caller without access', () => {
  it.each<[string, IsolationRequest, boolean, IsolationOutcome, IsolationOutcome]>([
    ['over REST', aCall(true), false, 'WORKSPACE_FORBIDDEN', 'WORKSPACE_FORBIDDEN'],
    ['over REST, with a wrong id', aCall(true), true, 'WORKSPACE_FORBIDDEN', 'WORKSPACE_FORBIDDEN'],
    ['over GraphQL, with a wrong id', aCall(false), true, 'WORKSPACE_FORBIDDEN', 'BAD_REQUEST'],
    ['for a public operation', aCall(true, { isPublic: true }), false, 'WORKSPACE_FORBIDDEN', 'ok'],
    [
      'for an operation that returns an empty list otherwise',
      aCall(true, { otherwise: '[]' }),
      false,
      'WORKSPACE_REQUIRED',
      '[]',
    ],
    [
      'for an operation that returns null otherwise',
      aCall(false, { otherwise: 'null' }),
      false,
      'WORKSPACE_FORBIDDEN',
      'null',
    ],
    [
      'for an operation that returns null otherwise, with a wrong id',
      aCall(true, { otherwise: 'null' }),
      true,
      'FORBIDDEN',
      'BAD_REQUEST',
    ],
    [
      'for an operation that accepts any text as an id',
      aCall(true, { otherwise: '[]', malformed: '[]' }),
      true,
      'FORBIDDEN',
      '[]',
    ],
    ['without authentication', aCall(true, { otherwise: '[]' }), false, 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
  ])('%s', (_, call, isMalformed, refusal, outcome) => {
    expect(outcomeForStranger(call, aTarget(isMalformed), refusal)).toBe(outcome);
  });
});

describe('the outcome of a response', () => {
  it.each<[object, IsolationOutcome]>([
    [{ data: null }, 'null'],
    [{ data: [] }, '[]'],
    [{ data: [1] }, 'ok'],
    [{ data: { items: [] } }, 'ok'],
  ])('%j', (body, outcome) => {
    expect(outcomeOfReply({ headers: {} }, body, false).outcome).toBe(outcome);
    expect(outcomeOfReply({ headers: {} }, { data: body }, true).outcome).toBe(outcome);
    expect(outcomeOfReply({ headers: { 'x-error-code': 'CONFLICT' } }, body, false).outcome).toBe('CONFLICT');
  });
});

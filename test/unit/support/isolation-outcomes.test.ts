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

function aTarget(isUnspelt: boolean): IsolationTarget {
  return { name: 'a target', id: 'id', outcome: 'ok', variables: {}, isMalformed: isUnspelt, isRepeated: isUnspelt };
}

describe('what a caller is told who is not let in', () => {
  it.each<[string, IsolationRequest, boolean, IsolationOutcome, IsolationOutcome]>([
    ['over REST', aCall(true), false, 'WORKSPACE_FORBIDDEN', 'WORKSPACE_FORBIDDEN'],
    ['over REST, with a wrong id', aCall(true), true, 'WORKSPACE_FORBIDDEN', 'WORKSPACE_FORBIDDEN'],
    ['over GraphQL, with a wrong id', aCall(false), true, 'WORKSPACE_FORBIDDEN', 'BAD_REQUEST'],
    ['where everybody is', aCall(true, { isPublic: true }), false, 'WORKSPACE_FORBIDDEN', 'ok'],
    ['where a list is empty otherwise', aCall(true, { otherwise: '[]' }), false, 'WORKSPACE_REQUIRED', '[]'],
    ['where it is null otherwise', aCall(false, { otherwise: 'null' }), false, 'WORKSPACE_FORBIDDEN', 'null'],
    [
      'where it is null otherwise, with a wrong id',
      aCall(true, { otherwise: 'null' }),
      true,
      'FORBIDDEN',
      'BAD_REQUEST',
    ],
    ['where any text is taken', aCall(true, { otherwise: '[]', unspelt: '[]' }), true, 'FORBIDDEN', '[]'],
    ['and is not known either', aCall(true, { otherwise: '[]' }), false, 'UNAUTHENTICATED', 'UNAUTHENTICATED'],
  ])('%s', (_, call, isUnspelt, refusal, outcome) => {
    expect(outcomeForStranger(call, aTarget(isUnspelt), refusal)).toBe(outcome);
  });
});

describe('what came of a request', () => {
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

import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { sourceOf } from '../draft.js';
import { toSlug, uniqueName } from '../names.js';
import type { Notes } from '../notes.js';
import {
  apiKeyDraft,
  basicDraft,
  bearerDraft,
  clientCredentialsDraft,
  refreshTokenDraft,
  type StrategyDraft,
} from '../strategy-drafts.js';
import type { Component } from './component.js';

export function readAuthenticators(given: readonly Component[], file: string, notes: Notes): StrategyDefinition[] {
  const taken = new Set<string>();
  const drafts = given.flatMap(selectable).flatMap((authenticator) => {
    const draft = draftOf(authenticator, notes);
    return draft ? [{ draft, pointer: authenticator.pointer }] : [];
  });
  const unique = new Map(
    drafts.map((one) => [JSON.stringify(one.draft), one]).toReversed() as [string, (typeof drafts)[0]][],
  );
  return [...unique.values()].toReversed().map(({ draft, pointer }) => {
    const key = uniqueName(toSlug(draft.type), taken, '-');
    notes.check(`strategy ${key}`, pointer, 'check the request that tests a credential (verification)');
    return { key, ...draft, sources: sourceOf(file) };
  });
}

function selectable(authenticator: Component): Component[] {
  const choices = authenticator.type === 'SelectiveAuthenticator' && authenticator.child('authenticators');
  return choices ? choices.names.flatMap((name) => choices.child(name) ?? []) : [authenticator];
}

function draftOf(authenticator: Component, notes: Notes): StrategyDraft | undefined {
  const { type, pointer } = authenticator;
  if (type === 'NoAuth') return undefined;
  if (type === 'BearerAuthenticator') return bearerDraft();
  if (type === 'BasicHttpAuthenticator') return basicDraft();
  if (type === 'ApiKeyAuthenticator') {
    const target = authenticator.child('inject_into');
    const name = target?.text('field_name') ?? authenticator.text('header');
    const place = target?.text('inject_into') === 'request_parameter' ? 'query' : 'header';
    if (
      name &&
      /\{\{/.test(authenticator.text('api_token') ?? '') &&
      !/^\s*\{\{[^{}]*\}\}\s*$/.test(authenticator.text('api_token') ?? '')
    )
      notes.check(
        'strategy',
        pointer,
        'the header contains a prefix or suffix in addition to the key; check the header',
      );
    if (name) return apiKeyDraft(place, name);
  }
  const endpoint = authenticator.text('token_refresh_endpoint');
  if (type === 'OAuthAuthenticator' && endpoint && !/[{}]/.test(endpoint))
    return authenticator.text('grant_type') === 'client_credentials'
      ? clientCredentialsDraft(endpoint)
      : refreshTokenDraft(endpoint);
  notes.todo('strategy', pointer, `the authenticator ${type || 'without a type'} is not supported with these settings`);
  return undefined;
}

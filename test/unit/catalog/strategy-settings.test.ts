import { describe, expect, it } from 'vitest';
import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import { AuthMethodType } from '../../../src/catalog/model/auth-method-configs.js';
import { definitionFaultsOf, withStrategy, yamlOf } from '../../support/catalog/definition-builders.js';

const oauth2Config = { tokenEndpoint: 'https://acme.test/token' };

/** Required settings by method. */
const METHODS: Record<AuthMethodType, Partial<StrategyDefinition>> = {
  api_key_header: { apiKeyConfig: { headerName: 'X-Key' } },
  api_key_query: { apiKeyConfig: { queryParam: 'key' } },
  bearer: { bearerConfig: { tokenField: 'token' } },
  basic: { basicConfig: { usernameField: 'token' } },
  oauth2_refresh: { oauth2Config },
  oauth2_auth_code_pkce: { oauth2Config: { ...oauth2Config, authorizeUrl: 'https://acme.test/authorize' } },
  oauth2_client_credentials: { oauth2Config },
  oauth2_jwt_bearer: { oauth2Config },
  google_domain_wide_delegation: { oauth2Config, delegatedUserField: 'token' },
  session_exchange: { oauth2Config },
  session_exchange_jwt: { oauth2Config },
  session_exchange_password: { oauth2Config: { ...oauth2Config, usernameField: 'user', passwordField: 'password' } },
  custom: { hook: 'sign' },
};

describe('a strategy', () => {
  it.each(Object.entries(METHODS))('of type %s requires each of its settings', (type, settings) => {
    const bare = { type: type as AuthMethodType, bearerConfig: undefined };
    expect(definitionFaultsOf(yamlOf(withStrategy({ ...bare, ...settings })))).toEqual([]);
    const cut = without(settings);
    expect(cut).not.toEqual([]);
    for (const fewer of cut) {
      const faults = definitionFaultsOf(yamlOf(withStrategy({ ...bare, ...fewer })));
      expect(faults).toEqual([expect.stringContaining(` method-is-configured: token: ${type} requires `)]);
    }
  });

  it('may be basic with a pre-encoded pair', () => {
    const settings = { type: 'basic', preEncodedBasicConfig: { tokenField: 'token' } } as const;
    expect(definitionFaultsOf(yamlOf(withStrategy(settings)))).toEqual([]);
  });

  it('has a test case for every type', () => {
    expect(Object.keys(METHODS).sort()).toEqual(Object.keys(AuthMethodType).sort());
  });
});

/** Returns copies of the settings. Each copy lacks one leaf value. */
function without<Value extends object>(settings: Value): Value[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const { [name as keyof Value]: _, ...rest } = settings;
    const cuts: unknown[] = typeof value === 'object' ? without(value) : [undefined];
    return cuts.map((cut) => ({ ...rest, ...(cut !== undefined && { [name]: cut }) }) as Value);
  });
}

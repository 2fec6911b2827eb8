import { describe, expect, it } from 'vitest';
import { AuthMethodType } from '../../../src/catalog/model/auth-method-configs.js';
import { ValidationErrorCode } from '../../../src/catalog/model/credential-verification.js';
import { remediationOf } from '../../../src/sources/responses/remediation.js';

const METHODS = Object.values(AuthMethodType);

describe('the remediation', () => {
  it.each(Object.values(ValidationErrorCode))('after %s is one or two sentences with every method', (errorCode) => {
    for (const method of METHODS) {
      const remedy = remediationOf({ status: 'invalid', errorCode }, method) ?? '';
      expect(remedy).toMatch(/^[A-Z][^.]+\.( [A-Z][^.]+\.)?$/);
    }
  });

  it('is a sign-in if required, and undefined for a valid credential', () => {
    expect(remediationOf({ status: 'manual_validation_required' }, 'oauth2_auth_code_pkce')).toMatch(/^Sign in /);
    expect(remediationOf({ status: 'inconclusive' }, 'bearer')).toMatch(/repeats the test automatically/);
    expect(remediationOf({ status: 'valid' }, 'bearer')).toBeUndefined();
  });

  it('depends on the kind of credential', () => {
    const expired = { status: 'expired', errorCode: 'expired' } as const;
    expect(remediationOf(expired, 'oauth2_auth_code_pkce')).not.toBe(remediationOf(expired, 'bearer'));
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { fingerprintRequest } from '../../../src/tenancy/idempotency/idempotency-key.js';
import { systemCaller } from '../../../src/tenancy/workspace-transaction.js';

const caller = systemCaller(newId());
const of = async (password: string, key = 'once', by = caller): Promise<string> => {
  const variables = { authenticationConfig: { password } };
  const request = { key, operation: 'createConnectorInstance', variables, callsOut: false, takesSecret: true };
  return (await fingerprintRequest(by, request)).fingerprint;
};

describe('the fingerprint of a request with secrets', () => {
  it('is equal for equal requests and different for different requests', async () => {
    expect(await of('hunter2')).toBe(await of('hunter2'));
    expect(await of('hunter2')).not.toBe(await of('hunter3'));
  });

  it('does not allow guessing the secret: it is slow to compute, and salted with caller and key', async () => {
    const fast = createHash('sha256').update(
      '["createConnectorInstance",{"authenticationConfig":{"password":"hunter2"}}]',
    );
    expect(await of('hunter2')).not.toBe(fast.digest('hex'));
    expect(await of('hunter2', 'twice')).not.toBe(await of('hunter2'));
    expect(await of('hunter2', 'once', systemCaller(newId()))).not.toBe(await of('hunter2'));
  });
});

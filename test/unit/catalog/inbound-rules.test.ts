import { describe, expect, it } from 'vitest';
import type { InboundStrategyDefinition, VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import type { InboundVerificationType } from '../../../src/catalog/model/inbound-auth-strategy.js';
import {
  aConfigSchema,
  anInboundStrategy,
  definitionFaultsOf,
  expectFault,
  rulesIn,
  withConnector,
  yamlOf,
} from '../../support/catalog/definition-builders.js';

const SECRET = { type: 'string', secret: true };
const key = aConfigSchema({ key: SECRET });
const signed = { signatureHeader: 'X-Signature', signatureBase: '{body}', configSchema: key } as const;
const timed = { ...signed, signatureBase: '{timestamp}.{body}' } as const;

/** Required settings by type. */
const TYPES: Record<InboundVerificationType, Partial<InboundStrategyDefinition>> = {
  none: {},
  shared_token: { signatureHeader: 'X-Token', configSchema: key },
  basic: { configSchema: aConfigSchema({ username: { type: 'string' }, password: SECRET }) },
  hmac_sha1: signed,
  hmac_sha256: signed,
  hmac_sha512: signed,
  ed25519: signed,
  ecdsa_p256_sha256: signed,
  standard_webhooks: { configSchema: key },
};

type Broken = [rule: string, what: string, own: Partial<InboundStrategyDefinition>, at: string];

const BROKEN: Broken[] = [
  [
    'signature-is-described',
    'a signature base for Standard Webhooks',
    { verificationType: 'standard_webhooks', configSchema: key, signatureBase: '{body}' },
    '"{body}"',
  ],
  ['signature-base-is-closed', 'an unknown variable', hmac({ signatureBase: '{method}{body}' }), '"{method}{body}"'],
  ['signature-base-is-closed', 'a repeated variable', hmac({ signatureBase: '{body}{body}' }), '"{body}{body}"'],
  ['signature-base-is-closed', 'an unclosed brace', hmac({ signatureBase: '{body}{' }), '"{body}{"'],
  ['signature-base-is-closed', 'a base without the body', hmac({ signatureBase: '{url}' }), '"{url}"'],
  [
    'signed-value-has-source',
    'a signed timestamp without a source',
    hmac({ signatureBase: '{timestamp}{body}' }),
    'key: inbound',
  ],
  ['signed-value-has-source', 'an unsigned timestamp', hmac({ timestampHeader: 'X-Time' }), 'key: inbound'],
  [
    'signed-value-has-source',
    'a timestamp with two sources',
    hmac({ ...timed, timestampHeader: 'X-Time', signatureFormat: { prefix: 'v1=', timestampPrefix: 't=' } }),
    'key: inbound',
  ],
  ['signed-value-has-source', 'a signed id without a source', hmac({ signatureBase: '{id}{body}' }), 'key: inbound'],
  ['signed-value-has-source', 'an unsigned id', hmac({ signatureFormat: { idHeader: 'X-Id' } }), 'key: inbound'],
  [
    'list-has-prefix',
    'a list of signatures without a prefix',
    hmac({ signatureFormat: { isList: true } }),
    'isList: true',
  ],
  [
    'separator-has-parts',
    'a separator in a header with one part',
    hmac({ signatureFormat: { prefix: 'v1=', separator: ';' } }),
    ';',
  ],
  [
    'prefixes-differ',
    'a signature prefix that starts with the timestamp prefix',
    hmac({ ...timed, signatureFormat: { prefix: 't=1', timestampPrefix: 't=' } }),
    'prefix: t=1',
  ],
  [
    'prefixes-differ',
    'a signature without a prefix in the header of the timestamp',
    hmac({ ...timed, signatureFormat: { timestampPrefix: 't=' } }),
    'timestampPrefix: t=',
  ],
  [
    'sender-key-is-in-config-schema',
    'a user name that is the only secret',
    { verificationType: 'basic', configSchema: aConfigSchema({ username: SECRET }) },
    'type: object',
  ],
  [
    'sender-key-is-in-config-schema',
    'a handshake token as the only secret',
    hmac({ configSchema: aConfigSchema({ verifyToken: SECRET }) }),
    'type: object',
  ],
  [
    'sender-key-is-in-config-schema',
    'four live secrets',
    hmac({ configSchema: aConfigSchema({ a: SECRET, b: SECRET, c: SECRET, d: SECRET }) }),
    'type: object',
  ],
  [
    'inbound-config-is-closed',
    'a config schema that allows additional properties',
    hmac({ configSchema: { type: 'object', properties: { key: SECRET } } }),
    'type: object',
  ],
  ['replay-window-fits', 'a window of 0 seconds', hmac({ replayWindowSeconds: 0 }), '0'],
  ['replay-window-fits', 'a window of more than a day', hmac({ replayWindowSeconds: 86_401 }), '86401'],
  ['header-name-is-valid', 'an invalid signature header', hmac({ signatureHeader: 'X Signature' }), 'X Signature'],
  ['header-name-is-valid', 'an invalid timestamp header', hmac({ ...timed, timestampHeader: 'X:Time' }), 'X:Time'],
  [
    'header-name-is-valid',
    'an invalid id header',
    hmac({ signatureBase: '{id}{body}', signatureFormat: { idHeader: 'Ä' } }),
    'Ä',
  ],
  [
    'challenge-is-signed',
    'a signed challenge without a signing secret',
    { handshakeKind: 'hmac_challenge' },
    'hmac_challenge',
  ],
];

describe('faults of an inbound strategy', () => {
  it.each<[string, Partial<InboundStrategyDefinition>, RegExp]>([
    [
      'a signature base without verification',
      { verificationType: 'none', signatureBase: '{body}' },
      /verificationType none has no signature: remove signatureBase, or set the verificationType/,
    ],
    [
      'a signature base with Standard Webhooks',
      { verificationType: 'standard_webhooks', configSchema: key, signatureBase: '{body}' },
      /Standard Webhooks defines the signed content: remove signatureBase/,
    ],
    [
      'a signed challenge without verification',
      { verificationType: 'none', handshakeKind: 'hmac_challenge' },
      /requires verificationType hmac_sha1, hmac_sha256 or hmac_sha512.*not none/,
    ],
  ])('include the remedy: %s', (_, own, sentence) => {
    expect(definitionFaultsOf(yamlOf(received(own)))).toEqual([expect.stringMatching(sentence)]);
  });
});

describe('an inbound strategy', () => {
  it.each(Object.entries(TYPES))('of type %s requires each of its settings', (type, settings) => {
    const verificationType = type as InboundVerificationType;
    expect(definitionFaultsOf(yamlOf(received({ verificationType, ...settings })))).toEqual([]);
    for (const name of Object.keys(settings)) {
      const fewer = received({ verificationType, ...settings, [name]: undefined });
      expect(definitionFaultsOf(yamlOf(fewer)).join('\n')).toMatch(
        /signature-is-described|sender-key-is-in-config-schema/,
      );
    }
  });

  it.each(BROKEN)('violates %s with %s', (rule, _, own, at) => {
    expectFault(received(own), rule, at);
  });

  it.each<[string, Partial<InboundStrategyDefinition>]>([
    [
      'everything signed',
      hmac({
        ...timed,
        signatureBase: 'v0:{id}:{timestamp}:{url}:{body}',
        timestampHeader: 'X-Time',
        signatureFormat: { idHeader: 'X-Id' },
      }),
    ],
    [
      'a timestamp in the header of the signature',
      hmac({ ...timed, signatureFormat: { prefix: 'v1=', timestampPrefix: 't=' } }),
    ],
    [
      'a timestamp and a list of signatures, separated by semicolons',
      hmac({ ...timed, signatureFormat: { prefix: 'h1=', timestampPrefix: 'ts=', separator: ';' } }),
    ],
    [
      'three live secrets and a handshake token',
      hmac({ configSchema: aConfigSchema({ a: SECRET, b: SECRET, c: SECRET, verifyToken: SECRET }) }),
    ],
    ['the longest window', hmac({ replayWindowSeconds: 86_400 })],
    [
      'other headers of Standard Webhooks',
      {
        ...TYPES.standard_webhooks,
        verificationType: 'standard_webhooks',
        signatureHeader: 'svix-signature',
        timestampHeader: 'svix-timestamp',
        signatureFormat: { idHeader: 'svix-id' },
      },
    ],
    ['a signed challenge', hmac({ handshakeKind: 'hmac_challenge' })],
  ])('may have %s', (_, own) => {
    expect(definitionFaultsOf(yamlOf(received(own)))).toEqual([]);
  });

  it.each([
    { encoding: 'base64url' },
    { prefix: 'a,b' },
    { prefix: 'a;b' },
    { prefix: 'a', isList: true, separator: ' ' },
    { prefix: '' },
    { prefix: 'ä' },
    { timestampUnit: 'days' },
    { other: 1 },
  ])('rejects the signature format %j', (signatureFormat) => {
    expect(definitionFaultsOf(yamlOf(received(hmac({ signatureFormat } as never))))).not.toEqual([]);
  });

  it('has a test case for every rule', () => {
    const own = [...new Set(BROKEN.map(([rule]) => rule))].sort();
    expect(own).toEqual(rulesIn(['inbound-rules']));
  });
});

function hmac(own: Partial<InboundStrategyDefinition>): Partial<InboundStrategyDefinition> {
  return { verificationType: 'hmac_sha256', ...signed, ...own };
}

function received(own: Partial<InboundStrategyDefinition>): VendorDefinition {
  return withConnector({ inboundAuthStrategies: [anInboundStrategy(own)] });
}

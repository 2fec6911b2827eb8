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

/** Each type with what it cannot do without. */
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
    'a base of its own for a scheme that has one',
    { verificationType: 'standard_webhooks', configSchema: key, signatureBase: '{body}' },
    '"{body}"',
  ],
  [
    'signature-base-is-closed',
    'a variable that nobody fills in',
    hmac({ signatureBase: '{method}{body}' }),
    '"{method}{body}"',
  ],
  ['signature-base-is-closed', 'one variable twice', hmac({ signatureBase: '{body}{body}' }), '"{body}{body}"'],
  ['signature-base-is-closed', 'a brace that stays open', hmac({ signatureBase: '{body}{' }), '"{body}{"'],
  ['signature-base-is-closed', 'a base without the body', hmac({ signatureBase: '{url}' }), '"{url}"'],
  [
    'signed-value-has-source',
    'a signed timestamp from nowhere',
    hmac({ signatureBase: '{timestamp}{body}' }),
    'key: inbound',
  ],
  ['signed-value-has-source', 'a timestamp that nobody signs', hmac({ timestampHeader: 'X-Time' }), 'key: inbound'],
  [
    'signed-value-has-source',
    'a timestamp from two places',
    hmac({ ...timed, timestampHeader: 'X-Time', signatureFormat: { prefix: 'v1=', timestampPrefix: 't=' } }),
    'key: inbound',
  ],
  ['signed-value-has-source', 'a signed id from nowhere', hmac({ signatureBase: '{id}{body}' }), 'key: inbound'],
  [
    'signed-value-has-source',
    'an id that nobody signs',
    hmac({ signatureFormat: { idHeader: 'X-Id' } }),
    'key: inbound',
  ],
  [
    'prefixes-differ',
    'a timestamp that looks like a signature',
    hmac({ ...timed, signatureFormat: { prefix: 't=1', timestampPrefix: 't=' } }),
    'prefix: t=1',
  ],
  [
    'prefixes-differ',
    'a signature without a prefix beside a timestamp',
    hmac({ ...timed, signatureFormat: { timestampPrefix: 't=' } }),
    'timestampPrefix: t=',
  ],
  [
    'sender-key-is-asked-for',
    'a user name that is the only secret',
    { verificationType: 'basic', configSchema: aConfigSchema({ username: SECRET }) },
    'type: object',
  ],
  [
    'sender-key-is-asked-for',
    'a token that is for the handshake alone',
    hmac({ configSchema: aConfigSchema({ verifyToken: SECRET }) }),
    'type: object',
  ],
  [
    'sender-key-is-asked-for',
    'four live secrets',
    hmac({ configSchema: aConfigSchema({ a: SECRET, b: SECRET, c: SECRET, d: SECRET }) }),
    'type: object',
  ],
  [
    'inbound-config-is-closed',
    'a config schema that lets other fields pass',
    hmac({ configSchema: { type: 'object', properties: { key: SECRET } } }),
    'type: object',
  ],
  ['replay-window-fits', 'no window at all', hmac({ replayWindowSeconds: 0 }), '0'],
  ['replay-window-fits', 'a window of more than a day', hmac({ replayWindowSeconds: 86_401 }), '86401'],
  ['header-name-is-valid', 'a signature in no header', hmac({ signatureHeader: 'X Signature' }), 'X Signature'],
  ['header-name-is-valid', 'a timestamp in no header', hmac({ ...timed, timestampHeader: 'X:Time' }), 'X:Time'],
  [
    'header-name-is-valid',
    'an id in no header',
    hmac({ signatureBase: '{id}{body}', signatureFormat: { idHeader: 'Ä' } }),
    'Ä',
  ],
  [
    'challenge-is-signed',
    'a signed challenge without a secret to sign with',
    { handshakeKind: 'hmac_challenge' },
    'hmac_challenge',
  ],
];

describe('what is wrong with an inbound strategy', () => {
  it.each<[string, Partial<InboundStrategyDefinition>, RegExp]>([
    [
      'a base where nothing is verified',
      { verificationType: 'none', signatureBase: '{body}' },
      /verificationType none has no signature: remove signatureBase, or set the verificationType/,
    ],
    [
      'a base beside Standard Webhooks',
      { verificationType: 'standard_webhooks', configSchema: key, signatureBase: '{body}' },
      /Standard Webhooks defines the signed content: remove signatureBase/,
    ],
    [
      'a signed challenge where nothing is verified',
      { verificationType: 'none', handshakeKind: 'hmac_challenge' },
      /requires verificationType hmac_sha1, hmac_sha256 or hmac_sha512.*it is none/,
    ],
  ])('is told with what to do: %s', (_, own, sentence) => {
    expect(definitionFaultsOf(yamlOf(received(own)))).toEqual([expect.stringMatching(sentence)]);
  });
});

describe('an inbound strategy', () => {
  it.each(Object.entries(TYPES))('of type %s needs every one of its settings', (type, settings) => {
    const verificationType = type as InboundVerificationType;
    expect(definitionFaultsOf(yamlOf(received({ verificationType, ...settings })))).toEqual([]);
    for (const name of Object.keys(settings)) {
      const fewer = received({ verificationType, ...settings, [name]: undefined });
      expect(definitionFaultsOf(yamlOf(fewer)).join('\n')).toMatch(/signature-is-described|sender-key-is-asked-for/);
    }
  });

  it.each(BROKEN)('breaks %s with %s', (rule, _, own, at) => {
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
      'three live secrets beside the token of the handshake',
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
    { prefix: '' },
    { prefix: 'ä' },
    { timestampUnit: 'days' },
    { other: 1 },
  ])('has no signature format %j', (signatureFormat) => {
    expect(definitionFaultsOf(yamlOf(received(hmac({ signatureFormat } as never))))).not.toEqual([]);
  });

  it('of every rule in the sources stands in the table', () => {
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

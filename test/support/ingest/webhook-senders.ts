import { generateKeyPairSync, type KeyObject, sign as signWith } from 'node:crypto';
import type { InboundStrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import type { SenderStrategy } from '../../../src/ingest/senders/sender-claims.js';
import { aConfigSchema, anInboundStrategy } from '../catalog/definition-builders.js';
import {
  hmac,
  iso,
  milliseconds,
  type Sender,
  sender,
  shippedStrategy,
  signingSecret,
  TAP_URL,
} from './sender-builder.js';
import { SHARED_SECRET_SENDERS } from './shared-secret-senders.js';

const TEXT = { type: 'string', secret: true };

/** The config schema has a single field, `key`. */
export function aSenderStrategy(own: Partial<InboundStrategyDefinition>): SenderStrategy {
  const signed = { signatureHeader: 'X-Signature', signatureBase: '{body}' };
  return anInboundStrategy({ ...signed, configSchema: aConfigSchema({ key: TEXT }), ...own });
}

const keyPair = generateKeyPairSync('ed25519');
const otherPair = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
export const rawPublicKey = ({ publicKey }: { publicKey: KeyObject }): Buffer =>
  publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
const spki = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64');
const STANDARD_SECRET = `whsec_${Buffer.from('24 bytes of a secret key').toString('base64')}`;

export const SIGNERS: readonly Sender[] = [
  // https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
  sender('GitHub', shippedStrategy('github'), { signingSecret }, ({ body, config }) => ({
    'X-Hub-Signature-256': `sha256=${hmac('sha256', config.signingSecret as string, body).toString('hex')}`,
  })),
  // https://docs.stripe.com/webhooks, "Verify webhook signatures manually"
  sender('Stripe', shippedStrategy('stripe'), { signingSecret }, ({ body, timestamp, config }) => {
    const v1 = hmac('sha256', config.signingSecret as string, timestamp, '.', body).toString('hex');
    return { 'Stripe-Signature': `t=${timestamp},v1=${v1}` };
  }),
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  sender('Slack', shippedStrategy('slack'), { signingSecret }, ({ body, timestamp, config }) => ({
    'X-Slack-Request-Timestamp': timestamp,
    'X-Slack-Signature': `v0=${hmac('sha256', config.signingSecret as string, `v0:${timestamp}:`, body).toString('hex')}`,
  })),
  // https://shopify.dev/docs/apps/build/webhooks/verify-deliveries
  sender('Shopify', shippedStrategy('shopify'), { signingSecret }, ({ body, config }) => ({
    'X-Shopify-Hmac-SHA256': hmac('sha256', config.signingSecret as string, body).toString('base64'),
  })),
  // https://developers.hubspot.com/changelog/introducing-version-3-of-webhook-signatures
  sender(
    'HubSpot',
    shippedStrategy('hubspot'),
    { signingSecret },
    ({ body, timestamp, config }) => ({
      'X-HubSpot-Request-Timestamp': timestamp,
      'X-HubSpot-Signature-v3': hmac(
        'sha256',
        config.signingSecret as string,
        'POST',
        TAP_URL,
        body,
        timestamp,
      ).toString('base64'),
    }),
    milliseconds,
  ),
  // https://developer.zendesk.com/documentation/webhooks/verifying
  sender(
    'Zendesk',
    shippedStrategy('zendesk'),
    { signingSecret },
    ({ body, timestamp, config }) => ({
      'X-Zendesk-Webhook-Signature': hmac('sha256', config.signingSecret as string, timestamp, body).toString('base64'),
      'X-Zendesk-Webhook-Signature-Timestamp': timestamp,
    }),
    iso,
  ),
  // https://linear.app/developers/webhooks
  sender('Linear', shippedStrategy('linear'), { signingSecret }, ({ body, config }) => ({
    'Linear-Signature': hmac('sha256', config.signingSecret as string, body).toString('hex'),
  })),
  // https://developer.atlassian.com/cloud/jira/platform/webhooks
  sender('Jira', shippedStrategy('atlassian'), { signingSecret }, ({ body, config }) => ({
    'X-Hub-Signature': `sha256=${hmac('sha256', config.signingSecret as string, body).toString('hex')}`,
  })),
  // https://developer.pagerduty.com/docs/verifying-webhook-signatures
  sender('PagerDuty', shippedStrategy('pagerduty'), { signingSecret }, ({ body, config }) => ({
    'X-PagerDuty-Signature': `v1=${hmac('sha256', config.signingSecret as string, body).toString('hex')}`,
  })),
  // https://developer.squareup.com/docs/webhooks/step3validate
  sender('Square', shippedStrategy('square'), { signingSecret }, ({ body, config }) => ({
    'x-square-hmacsha256-signature': hmac('sha256', config.signingSecret as string, TAP_URL, body).toString('base64'),
  })),
  // https://docs.sentry.io/integrations/integration-platform/webhooks
  sender('Sentry', shippedStrategy('sentry'), { signingSecret }, ({ body, config }) => ({
    'Sentry-Hook-Signature': hmac('sha256', config.signingSecret as string, body).toString('hex'),
  })),
  // https://developers.ashbyhq.com/docs/authenticating-webhooks
  sender('Ashby', shippedStrategy('ashby'), { signingSecret }, ({ body, config }) => ({
    'Ashby-Signature': `sha256=${hmac('sha256', config.signingSecret as string, body).toString('hex')}`,
  })),
  // https://developers.greenhouse.io/webhooks.html#authentication
  sender('Greenhouse', shippedStrategy('greenhouse'), { signingSecret }, ({ body, config }) => ({
    Signature: `sha256 ${hmac('sha256', config.signingSecret as string, body).toString('hex')}`,
  })),
  // https://bitbucket.org/blog/enhanced-webhook-security
  sender('Bitbucket', shippedStrategy('bitbucket'), { signingSecret }, ({ body, config }) => ({
    'X-Hub-Signature': `sha256=${hmac('sha256', config.signingSecret as string, body).toString('hex')}`,
  })),
  // https://developer.box.com/guides/webhooks/v2/signatures-v2
  sender(
    'Box',
    shippedStrategy('box'),
    { signingSecret },
    ({ body, timestamp, config }) => ({
      'BOX-DELIVERY-TIMESTAMP': timestamp,
      'BOX-SIGNATURE-PRIMARY': hmac('sha256', config.signingSecret as string, body, timestamp).toString('base64'),
    }),
    iso,
  ),
  // https://documentation.bamboohr.com/docs/webhooks
  sender('BambooHR', shippedStrategy('bamboohr'), { signingSecret }, ({ body, timestamp, config }) => ({
    'X-BambooHR-Timestamp': timestamp,
    'X-BambooHR-Signature': hmac('sha256', config.signingSecret as string, body, timestamp).toString('hex'),
  })),
  // https://developers.outreach.io/api/webhooks
  sender('Outreach', shippedStrategy('outreach'), { signingSecret }, ({ body, config }) => ({
    'Outreach-Webhook-Signature': hmac('sha256', config.signingSecret as string, body).toString('hex'),
  })),
  // https://developers.salesloft.com/docs/platform/webhooks
  sender('Salesloft', shippedStrategy('salesloft'), { signingSecret }, ({ body, config }) => ({
    'x-salesloft-signature': hmac('sha1', config.signingSecret as string, body).toString('hex'),
  })),
  ...SHARED_SECRET_SENDERS,
  sender('HMAC-SHA1', aSenderStrategy({ verificationType: 'hmac_sha1' }), { key: 'k' }, ({ body, config }) => ({
    'X-Signature': hmac('sha1', config.key as string, body).toString('hex'),
  })),
  sender(
    'HMAC-SHA512 with an id',
    aSenderStrategy({
      ...{ verificationType: 'hmac_sha512', signatureBase: '{id}|{timestamp}|{url}|{body}', timestampHeader: 'X-Time' },
      signatureFormat: { encoding: 'base64', idHeader: 'X-Id' },
    }),
    { key: 'k' },
    ({ body, timestamp, config }) => ({
      ...{ 'X-Id': 'delivery-1', 'X-Time': timestamp },
      'X-Signature': hmac('sha512', config.key as string, `delivery-1|${timestamp}|${TAP_URL}|`, body).toString(
        'base64',
      ),
    }),
  ),
  sender(
    'Ed25519',
    aSenderStrategy({ verificationType: 'ed25519', signatureBase: '{timestamp}{body}', timestampHeader: 'X-Time' }),
    { key: rawPublicKey(keyPair).toString('hex') },
    ({ body, timestamp, config }) => ({
      'X-Time': timestamp,
      'X-Signature': signWith(null, Buffer.concat([Buffer.from(timestamp), body]), pairOf(config.key)).toString('hex'),
    }),
  ),
  // https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
  sender(
    'SendGrid',
    shippedStrategy('sendgrid'),
    { verificationKey: spki(p256.publicKey) },
    ({ body, timestamp, config }) => {
      const { privateKey } = config.verificationKey === spki(p256.publicKey) ? p256 : otherP256;
      const signature = signWith('sha256', Buffer.concat([Buffer.from(timestamp), body]), privateKey);
      return {
        'X-Twilio-Email-Event-Webhook-Timestamp': timestamp,
        'X-Twilio-Email-Event-Webhook-Signature': signature.toString('base64'),
      };
    },
  ),
  sender(
    'Standard Webhooks by a secret',
    aSenderStrategy({ verificationType: 'standard_webhooks', signatureHeader: undefined, signatureBase: undefined }),
    { key: STANDARD_SECRET },
    ({ body, timestamp, config }) => {
      const secret = Buffer.from((config.key as string).slice('whsec_'.length), 'base64');
      const signature = hmac('sha256', secret, `msg_2a.${timestamp}.`, body).toString('base64');
      return {
        ...{ 'webhook-id': 'msg_2a', 'webhook-timestamp': timestamp },
        'webhook-signature': `v1,${signature}`,
      };
    },
  ),
  sender(
    'Standard Webhooks by a public key',
    aSenderStrategy({ verificationType: 'standard_webhooks', signatureHeader: undefined, signatureBase: undefined }),
    { key: `whpk_${rawPublicKey(keyPair).toString('base64')}` },
    ({ body, timestamp, config }) => {
      const data = Buffer.concat([Buffer.from(`msg_1.${timestamp}.`), body]);
      const signature = signWith(null, data, pairOf(config.key)).toString('base64');
      return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` };
    },
  ),
];

export function signerOf(name: string): Sender {
  return SIGNERS.find((signer) => signer.name === name) as Sender;
}

const otherP256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

/** Returns a config with a different key of the same format. */
export function withOtherKey({ config }: Sender): Record<string, string> {
  const [[field, text]] = Object.entries(config) as [[string, string]];
  if (text === rawPublicKey(keyPair).toString('hex')) return { [field]: rawPublicKey(otherPair).toString('hex') };
  if (text.startsWith('whpk_')) return { [field]: `whpk_${rawPublicKey(otherPair).toString('base64')}` };
  if (text.startsWith('whsec_'))
    return { [field]: `whsec_${Buffer.from('24 bytes of another key!').toString('base64')}` };
  return { [field]: text === spki(p256.publicKey) ? spki(otherP256.publicKey) : `${text}.` };
}

function pairOf(key: string | undefined): KeyObject {
  const isOther = [
    rawPublicKey(otherPair).toString('hex'),
    `whpk_${rawPublicKey(otherPair).toString('base64')}`,
  ].includes(key as string);
  return (isOther ? otherPair : keyPair).privateKey;
}

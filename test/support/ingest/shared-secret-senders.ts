import { hmac, milliseconds, type Sender, sender, shippedStrategy, signingSecret } from './sender-builder.js';

const SVIX_SECRET = `whsec_${Buffer.from('24 bytes of a secret key').toString('base64')}`;

/** The comment before each sender cites the source of its signature format. */
export const SHARED_SECRET_SENDERS: readonly Sender[] = [
  // https://www.typeform.com/developers/webhooks/secure-your-webhooks
  sender('Typeform', shippedStrategy('typeform'), { signingSecret }, ({ body, config }) => ({
    'Typeform-Signature': `sha256=${hmac('sha256', config.signingSecret as string, body).toString('base64')}`,
  })),
  // https://developer.clickup.com/docs/webhooksignature
  sender('ClickUp', shippedStrategy('clickup'), { signingSecret }, ({ body, config }) => ({
    'X-Signature': hmac('sha256', config.signingSecret as string, body).toString('hex'),
  })),
  // packages/server/lib/webhook/calendly-webhook-routing.ts of NangoHQ/nango
  sender('Calendly', shippedStrategy('calendly'), { signingKey: 'calendly-key' }, ({ body, timestamp, config }) => {
    const signature = hmac('sha256', config.signingKey as string, `${timestamp}.`, body).toString('hex');
    return { 'Calendly-Webhook-Signature': `t=${timestamp},v1=${signature}` };
  }),
  // webhooks.md of toggl/toggl_api_docs
  sender('Toggl Track', shippedStrategy('toggl-track'), { signingSecret }, ({ body, config }) => ({
    'X-Webhook-Signature-256': `sha256=${hmac('sha256', config.signingSecret as string, body).toString('hex')}`,
  })),
  // index.js of zoom/webhook-sample
  sender('Zoom', shippedStrategy('zoom'), { secretToken: 'zoom-secret' }, ({ body, timestamp, config }) => ({
    'x-zm-request-timestamp': timestamp,
    'x-zm-signature': `v0=${hmac('sha256', config.secretToken as string, `v0:${timestamp}:`, body).toString('hex')}`,
  })),
  // packages/server/lib/webhook/attio-webhook-routing.ts of NangoHQ/nango
  sender('Attio', shippedStrategy('attio'), { signingSecret }, ({ body, config }) => ({
    'X-Attio-Signature': hmac('sha256', config.signingSecret as string, body).toString('hex'),
  })),
  // HelpScoutTrigger of n8n-nodes-base
  sender('Help Scout', shippedStrategy('help-scout'), { signingSecret }, ({ body, config }) => ({
    'X-HelpScout-Signature': hmac('sha1', config.signingSecret as string, body).toString('base64'),
  })),
  // includes/_webhooks.md of SurveyMonkey/public_api_docs
  sender('SurveyMonkey', shippedStrategy('surveymonkey'), { signingKey: 'client&secret' }, ({ body, config }) => ({
    'Sm-Signature': hmac('sha1', config.signingKey as string, body).toString('base64'),
  })),
  // src/wrapper/WebhooksClient.ts of webflow/js-webflow-api
  sender(
    'Webflow',
    shippedStrategy('webflow'),
    { signingSecret },
    ({ body, timestamp, config }) => ({
      'X-Webflow-Timestamp': timestamp,
      'X-Webflow-Signature': hmac('sha256', config.signingSecret as string, `${timestamp}:`, body).toString('hex'),
    }),
    milliseconds,
  ),
  // https://developer.paddle.com/webhooks/signature-verification
  sender('Paddle', shippedStrategy('paddle'), { signingSecret }, ({ body, timestamp, config }) => {
    const signature = hmac('sha256', config.signingSecret as string, `${timestamp}:`, body).toString('hex');
    return { 'Paddle-Signature': `ts=${timestamp};h1=${signature}` };
  }),
  // https://docs.incident.io/integrations/webhooks
  sender(
    'incident.io',
    shippedStrategy('incident-io'),
    { signingSecret: SVIX_SECRET },
    ({ body, timestamp, config }) => {
      const secret = Buffer.from((config.signingSecret as string).slice('whsec_'.length), 'base64');
      const signature = hmac('sha256', secret, `msg_1.${timestamp}.`, body).toString('base64');
      return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    },
  ),
  // pages/apis/webhooks/_verifying_hmac_signatures.md of buildkite/docs
  sender('Buildkite', shippedStrategy('buildkite'), { token: 'buildkite-token' }, ({ body, timestamp, config }) => {
    const signature = hmac('sha256', config.token as string, `${timestamp}.`, body).toString('hex');
    return { 'X-Buildkite-Signature': `timestamp=${timestamp},signature=${signature}` };
  }),
  // https://launchdarkly.com/docs/api/webhooks
  sender('LaunchDarkly', shippedStrategy('launchdarkly'), { signingSecret }, ({ body, config }) => ({
    'X-LD-Signature': hmac('sha256', config.signingSecret as string, body).toString('hex'),
  })),
  // docs/guides/modules/integration/pages/outbound-webhooks.adoc of circleci/circleci-docs
  sender('CircleCI', shippedStrategy('circleci'), { signingSecret }, ({ body, config }) => ({
    'circleci-signature': `v1=${hmac('sha256', config.signingSecret as string, body).toString('hex')}`,
  })),
];

import { describe, expect, it } from 'vitest';
import { SAMPLE_BODY, type SignedDelivery, shippedStrategy, TAP_URL } from '../../support/ingest/sender-builder.js';
import { tamperHeaders } from '../../support/ingest/tampered-deliveries.js';
import { verifyDelivery, verifyTampered } from '../../support/ingest/verify-delivery.js';
import { aSenderStrategy } from '../../support/ingest/webhook-senders.js';

describe('a sender that signs nothing', () => {
  const gitlab = { strategy: shippedStrategy('gitlab'), config: { secretToken: 'tökén' } };
  const pipedrive = {
    strategy: shippedStrategy('pipedrive'),
    config: { username: 'taproot', password: 'pass:word ü' },
  };
  const bare = (headers: Record<string, string>): SignedDelivery => ({ headers, body: SAMPLE_BODY, url: TAP_URL });
  // Node decodes headers as Latin-1.
  const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

  it('is accepted only with its token', () => {
    const delivery = bare({ 'X-Gitlab-Token': latin1('tökén') });
    expect(verifyDelivery(gitlab, delivery)).toEqual({ isSigned: false });
    for (const altered of tamperHeaders(delivery))
      expect([altered.how, verifyTampered(gitlab, altered)]).toEqual([altered.how, undefined]);
    expect(verifyDelivery({ ...gitlab, config: {} }, delivery)).toBeUndefined();
    expect(verifyDelivery({ ...gitlab, config: { secretToken: '' } }, bare({ 'X-Gitlab-Token': '' }))).toBeUndefined();
  });

  it('is accepted with its token after a prefix', () => {
    const strategy = { ...gitlab.strategy, signatureHeader: 'Authorization', signatureFormat: { prefix: 'Bearer ' } };
    const config = { secretToken: 'token' };
    expect(verifyDelivery({ strategy, config }, bare({ Authorization: 'Bearer token' }))).toBeDefined();
    for (const text of ['token', 'bearer token', 'Bearer  token', 'Bearer token ', 'Basic token'])
      expect([text, verifyDelivery({ strategy, config }, bare({ Authorization: text }))]).toEqual([text, undefined]);
  });

  it('is accepted only with its user name and password', () => {
    const basic = (pair: string): SignedDelivery =>
      bare({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    const delivery = basic('taproot:pass:word ü');
    expect(verifyDelivery(pipedrive, delivery)).toEqual({ isSigned: false });
    for (const altered of tamperHeaders(delivery))
      expect([altered.how, verifyTampered(pipedrive, altered)]).toEqual([altered.how, undefined]);
    for (const pair of ['taproot:', ':pass:word ü', 'taproot', 'pass:word ü:taproot'])
      expect(verifyDelivery(pipedrive, basic(pair))).toBeUndefined();
    expect(verifyDelivery({ ...pipedrive, config: { password: 'x' } }, basic(':x'))).toBeUndefined();
    expect(verifyDelivery({ ...pipedrive, config: { username: 'taproot' } }, basic('taproot:'))).toBeUndefined();
  });

  it('is accepted without credentials if the URL alone authorizes it', () => {
    expect(verifyDelivery({ strategy: aSenderStrategy({ verificationType: 'none' }), config: {} }, bare({}))).toEqual({
      isSigned: false,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { redactUrl } from '../../../src/syncs/reading/redact-url.js';
import { aConnection } from '../../support/sources/source-connection.js';

const SECRET = "s3cr+t/'é x";
const connection = aConnection({
  strategy: { type: 'bearer', bearerConfig: { tokenField: 'token' } },
  config: { token: SECRET },
});
const redact = (url: string) => redactUrl(url, connection, { token: 'session-t0ken', obtainedAt: 0 });

describe('redactUrl', () => {
  it.each([
    ['as it is', `https://vendor.test/items?q=${SECRET}`, 'https://vendor.test/items?q=***'],
    ['in a path', `https://vendor.test/${encodeURIComponent(SECRET)}/items`, 'https://vendor.test/***/items'],
    ['in a form', `https://vendor.test/items?${new URLSearchParams({ q: SECRET })}`, 'https://vendor.test/items?q=***'],
    [
      'in lower case escapes',
      'https://vendor.test/items?q=s3cr%2bt%2f%27%c3%a9%20x',
      'https://vendor.test/items?q=***',
    ],
    [
      'within a value',
      `https://vendor.test/items?q=a-${encodeURIComponent(SECRET)}-b&page=2`,
      'https://vendor.test/items?q=a-***-b&page=2',
    ],
    ['of the session', 'https://vendor.test/items?session=session-t0ken', 'https://vendor.test/items?session=***'],
  ])('replaces a secret %s', (_, url, redacted) => {
    expect(redact(url)).toBe(redacted);
  });

  it.each(['access_token', 'api_key', 'X-Amz-Signature', 'X-Amz-Security-Token', 'sig', 'apikey', 'hmac'])(
    'replaces the value of the parameter %s',
    (name) => {
      expect(redact(`https://vendor.test/items?page=2&${name}=abc%3D&size=1`)).toBe(
        `https://vendor.test/items?page=2&${name}=***&size=1`,
      );
    },
  );

  it('changes nothing else, and keeps malformed escapes', () => {
    for (const url of [
      '/items?q=a+b%20c&next_page_token=abc&empty',
      'https://vendor.test/%zz?100%',
      'https://vendor.test/a?b=c?d=e',
    ])
      expect(redact(url)).toBe(url);
  });

  it('replaces all of a secret that begins with a shorter secret', () => {
    const secret = { type: 'string', secret: true };
    const both = aConnection({
      strategy: { configSchema: { type: 'object', properties: { id: secret, key: secret } } },
      config: { id: 'acme', key: 'acme-0815' },
    });
    expect(redactUrl('https://vendor.test/acme-0815/items', both, undefined)).toBe('https://vendor.test/***/items');
  });

  it('shortens long URLs', () => {
    expect(redact(`https://vendor.test/?q=${'a'.repeat(5_000)}`)).toHaveLength(2_000);
  });
});

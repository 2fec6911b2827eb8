import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { displayTextOf } from '../../../src/sources/responses/display-text.js';

const SECRET = 'Zk"9 ü/+x?Z~zz';
const LONG = `sk_live_${randomBytes(120).toString('hex')}`;

function inBase64(secret: string, before: string): string {
  return Buffer.from(`${before}${secret}behind`).toString('base64');
}

describe('text of a vendor', () => {
  it.each([
    ['raw', SECRET],
    ['URL-encoded', encodeURIComponent(SECRET)],
    ['as a form field', new URLSearchParams({ a: SECRET }).toString()],
    ['in JSON', JSON.stringify({ a: SECRET })],
    ['in hex', Buffer.from(SECRET).toString('hex')],
    ['in upper case hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64url', Buffer.from(SECRET).toString('base64url')],
    ['in base64 after a byte', inBase64(SECRET, 'u')],
    ['in base64 after two bytes', inBase64(SECRET, 'u:')],
    ['in base64 after three bytes', inBase64(SECRET, 'us:')],
  ])('is dropped if it contains a secret, %s', (_, echo) => {
    expect(displayTextOf(`key ${echo} is unknown`, [SECRET])).toBeUndefined();
  });

  it('is dropped if it contains a short secret as a form field', () => {
    expect(displayTextOf('key=ab+cd+ef', ['ab cd ef'])).toBeUndefined();
  });

  it.each([
    ['after the displayed length', `${'x'.repeat(250)}${LONG}`],
    ['at the end of the displayed length', `${'x'.repeat(190)}${LONG}`],
    ['truncated', LONG.slice(0, 30)],
    ['from its middle', `...${LONG.slice(100, 120)}...`],
    ['broken into lines', LONG.replace(/.{9}/g, '$&\n')],
  ])('is dropped if it contains a long secret, %s', (_, echo) => {
    expect(displayTextOf(echo, [LONG])).toBeUndefined();
  });

  it('is kept if it only resembles a secret', () => {
    expect(displayTextOf('ada@acme.test', ['acme', 'ada', 'hunter2', LONG])).toBe('ada@acme.test');
    expect(displayTextOf('sk_live_', [LONG])).toBe('sk_live_');
  });
});

import { describe, expect, it } from 'vitest';
import { aDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { pgDump } from '../support/database/pg-dump.js';
import { canaryValue } from '../support/secrets/canary-values.js';
import { findLeaks, secretEncodingsOf } from '../support/secrets/find-leaks.js';

/** Whatever stands before it, its base64 has a slash, which base64url spells otherwise. */
const secret = `${canaryValue()}????/"+ü\n:&=`;

describe('a search for leaks', () => {
  it.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL, in small letters', encodeURIComponent(secret).replaceAll(/%../g, (octet) => octet.toLowerCase())],
    ['in a form', `${new URLSearchParams({ secret })}`],
    ['in JSON', JSON.stringify({ secret })],
    ['in JSON in JSON', JSON.stringify({ text: JSON.stringify({ secret }) })],
    ['as hex', Buffer.from(secret).toString('hex')],
    ['as capital hex', Buffer.from(secret).toString('hex').toUpperCase()],
    ...['', 'a', 'ab', 'abc'].flatMap((before) =>
      (['base64', 'base64url'] as const).map((encoding) => [
        `as ${encoding} behind ${before.length} bytes`,
        Buffer.from(`${before}${secret}${before}`).toString(encoding),
      ]),
    ),
  ])('finds a secret %s', (_, text) => {
    expect(findLeaks(`before ${text} after`, [secret])).not.toEqual([]);
    expect(findLeaks(Buffer.from(`before ${text} after`), [canaryValue(), secret])).not.toEqual([]);
  });

  it('finds nothing in what does not tell it, and takes no secret that chance would find', () => {
    expect(findLeaks(secretEncodingsOf(secret).join(' '), [canaryValue()])).toEqual([]);
    expect(() => findLeaks('', ['abcde'])).toThrow('5 characters');
  });
});

it('a dump has every column of every table, bytes as well', async () => {
  const database = await aDatabase({ empty: true });
  const service = { databaseUrl: database.url };
  const secrets = Array.from({ length: 5 }, canaryValue);
  await queryAsOwner(service, 'create schema other; create table other."A Table" (a text, b jsonb, c bytea, d text[])');
  await queryAsOwner(service, 'insert into other."A Table" values ($1, $2, $3, $4)', [
    ...[secrets[0], { b: secrets[1] }, Buffer.from(`${secrets[2]}`)],
    [secrets[3]],
  ]);
  await queryAsOwner(service, 'insert into other."A Table" (c) values ($1)', [Buffer.from(btoa(`${secrets[4]}`))]);
  const dump = await pgDump(database.url);
  await database.drop();
  expect(new Set(findLeaks(dump, secrets).map((leak) => leak.secret))).toEqual(new Set(secrets));
});

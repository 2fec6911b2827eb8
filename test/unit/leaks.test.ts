import { describe, expect, it } from '@jest/globals';
import { canary } from '../support/canary.js';
import { aDatabase } from '../support/database.js';
import { findLeaks, spellings } from '../support/leaks.js';
import { pgDump } from '../support/pg-dump.js';
import { rowsOf } from '../support/rows.js';

/** Whatever stands before it, its base64 has a slash, which base64url spells otherwise. */
const secret = `${canary()}????/"+ü\n:&=`;

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
    expect(findLeaks(Buffer.from(`before ${text} after`), [canary(), secret])).not.toEqual([]);
  });

  it('finds nothing in what does not tell it, and takes no secret that chance would find', () => {
    expect(findLeaks(spellings(secret).join(' '), [canary()])).toEqual([]);
    expect(() => findLeaks('', ['abcde'])).toThrow('5 characters');
  });
});

it('a dump has every column of every table, bytes as well', async () => {
  const database = await aDatabase({ empty: true });
  const service = { databaseUrl: database.url };
  const secrets = Array.from({ length: 5 }, canary);
  await rowsOf(service, 'create schema other; create table other."A Table" (a text, b jsonb, c bytea, d text[])');
  await rowsOf(service, 'insert into other."A Table" values ($1, $2, $3, $4)', [
    ...[secrets[0], { b: secrets[1] }, Buffer.from(`${secrets[2]}`)],
    [secrets[3]],
  ]);
  await rowsOf(service, 'insert into other."A Table" (c) values ($1)', [Buffer.from(btoa(`${secrets[4]}`))]);
  const dump = await pgDump(database.url);
  await database.drop();
  expect(new Set(findLeaks(dump, secrets).map((leak) => leak.secret))).toEqual(new Set(secrets));
});

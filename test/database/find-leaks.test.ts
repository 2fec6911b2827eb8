import { describe, expect, it } from 'vitest';
import { aDatabase } from '../support/database/database.js';
import { queryAsOwner } from '../support/database/owner-queries.js';
import { pgDump } from '../support/database/pg-dump.js';
import { canaryValue } from '../support/secrets/canary-values.js';
import { findLeaks, secretEncodingsOf } from '../support/secrets/find-leaks.js';

/** At any offset, the base64 form of this secret contains a slash, which differs in base64url. */
const secret = `${canaryValue()}????/"+ü\n:&=`;

describe('findLeaks', () => {
  it.each([
    ['in clear text', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL, in lower case', encodeURIComponent(secret).replaceAll(/%../g, (octet) => octet.toLowerCase())],
    ['in a form', `${new URLSearchParams({ secret })}`],
    ['in JSON', JSON.stringify({ secret })],
    ['in JSON in JSON', JSON.stringify({ text: JSON.stringify({ secret }) })],
    ['as hex', Buffer.from(secret).toString('hex')],
    ['as upper-case hex', Buffer.from(secret).toString('hex').toUpperCase()],
    ...['', 'a', 'ab', 'abc'].flatMap((before) =>
      (['base64', 'base64url'] as const).map((encoding) => [
        `as ${encoding} after ${before.length} bytes`,
        Buffer.from(`${before}${secret}${before}`).toString(encoding),
      ]),
    ),
  ])('finds a secret %s', (_, text) => {
    expect(findLeaks(`before ${text} after`, [secret])).not.toEqual([]);
    expect(findLeaks(Buffer.from(`before ${text} after`), [canaryValue(), secret])).not.toEqual([]);
  });

  it('does not find other secrets, and rejects secrets that are too short', () => {
    expect(findLeaks(secretEncodingsOf(secret).join(' '), [canaryValue()])).toEqual([]);
    expect(() => findLeaks('', ['abcde'])).toThrow('5 characters');
  });
});

it('a dump contains every column of every table, including bytes', async () => {
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

import { describe, expect, it } from 'vitest';
import { readTapResponse } from '../../../src/syncs/responses/read-tap-response.js';
import { buildReading, buildReply } from '../../support/tap-response.js';

const XML = { 'content-type': 'application/xml' };

function read(body: string | Buffer, { responsePath = 'items.item', schema = {}, headers = XML } = {}) {
  const responseExtraction = { responseFormat: 'xml' as const, responsePath, primaryKey: 'id' };
  return readTapResponse(buildReading({ tap: { responseExtraction, schema } }), buildReply({ body, headers })).records;
}

const items = (content: string) => `<?xml version="1.0"?><items>${content}</items>`;

describe('xml', () => {
  it('reads elements as strings, with attributes and text', () => {
    const item =
      '<item kind="a&amp;b"><id>007</id><n lang="en">x &lt; y &#233;&#x20ac;</n><c><![CDATA[<b>&amp;]]></c></item>';
    expect(read(items(`${item}<item><id>2</id></item>`))).toEqual([
      { '@_kind': 'a&b', id: '007', n: { '@_lang': 'en', '#text': 'x < y é€' }, c: '<b>&amp;' },
      { id: '2' },
    ]);
  });

  it('reads one element, several and none as lists of records', () => {
    expect(read(items('<item><id>1</id></item>'))).toEqual([{ id: '1' }]);
    expect(read(items(''))).toEqual([]);
    expect(read('<items/>')).toEqual([]);
    expect(read(items('<total>0</total>'))).toEqual([]);
  });

  it('reads a single element as a list where the schema has an array', () => {
    const schema = { properties: { tag: { type: ['array', 'null'] } } };
    expect(read(items('<item><id>1</id><tag>a</tag></item>'), { schema })).toEqual([{ id: '1', tag: ['a'] }]);
  });

  it('reads the encoding of the declaration', () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><items><item><id>é</id></item></items>';
    expect(read(Buffer.from(text, 'latin1'))).toEqual([{ id: 'é' }]);
  });

  it('rejects a DOCTYPE, whose entities could expand to any size', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><items><item><id>&b;</id></item></items>`;
    expect(() => read(bomb)).toThrow(/^The XML response contains a DOCTYPE\.$/);
  });

  it('does not decode an entity that XML does not define', () => {
    expect(read(items('<item><id>&secret;&#xffffff;</id></item>'))).toEqual([{ id: '&secret;&#xffffff;' }]);
  });

  it.each([
    ['cut off', '<items><item><id>secret</id>'],
    ['not XML', 'secret'],
    ['nested too deeply', `${'<secret>'.repeat(100)}${'</secret>'.repeat(100)}`],
    ['a field of the prototype', items('<item><__proto__>secret</__proto__><id>1</id></item>')],
  ])('rejects a text that is %s, without quoting it', (_, text) => {
    expect(() => read(text)).toThrow(/^(The XML response is invalid|responsePath: )/);
    expect(() => read(text)).not.toThrow(/secret/);
  });
});

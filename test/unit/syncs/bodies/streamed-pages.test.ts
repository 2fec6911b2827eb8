import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { openPage } from '../../../support/syncs/open-page.js';

type Options = NonNullable<Parameters<typeof openPage>[1]>;

const WHOLE = { wholeBytes: 2 ** 30 };

async function outcomeOf(body: string | Buffer, options: Options): Promise<unknown> {
  try {
    return JSON.stringify((await openPage(body, options)).records);
  } catch (error) {
    return error;
  }
}

/**
 * Reads the body as a whole, and in parts of several sizes. Expects the same records or, if the whole body fails, a
 * contract error.
 */
async function expectSameAsWhole(body: string | Buffer, options: Options): Promise<void> {
  const whole = await outcomeOf(body, { ...options, ...WHOLE });
  for (const partBytes of [1, 7, 64]) {
    const streamed = await outcomeOf(body, { ...options, partBytes });
    if (typeof whole === 'string') expect(streamed).toBe(whole);
    else expect(streamed).toMatchObject({ name: 'TapReadError', errorClass: 'contract' });
  }
}

const record = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
const records = fc.array(record, { maxLength: 12 });
const structure = fc.constantFrom(...'{}[],:"\\ \n1e-.');
const change = fc.option(fc.tuple(fc.nat(), fc.nat({ max: 1 }), structure), { freq: 2 });

function changed(text: string, edit: [number, number, string] | null): string {
  if (!edit) return text;
  const [position, removed, inserted] = edit;
  const at = position % (text.length + 1);
  return text.slice(0, at) + inserted + text.slice(at + removed);
}

describe('a body that is read part by part has the same records as a whole body', () => {
  it('JSON with a list at a path, valid or not', async () => {
    const document = fc.record({
      a: fc.jsonValue(),
      data: fc.record({ b: fc.jsonValue(), items: records, c: fc.jsonValue() }),
    });
    await fc.assert(
      fc.asyncProperty(document, change, fc.constantFrom(0, 2), async (value, edit, indent) => {
        const text = changed(JSON.stringify(value, undefined, indent), edit);
        // If two members have the same name, `JSON.parse` uses the last member, but the reading in parts rejects the
        // body.
        fc.pre(text.split('"items"').length === 2 && text.split('"data"').length === 2);
        await expectSameAsWhole(text, { extraction: { responsePath: 'data.items' } });
      }),
    );
  });

  it('JSON whose root is a list, valid or not', async () => {
    await fc.assert(
      fc.asyncProperty(records, change, (value, edit) => expectSameAsWhole(changed(JSON.stringify(value), edit), {})),
    );
  });

  it('JSON lines, valid or not', async () => {
    const extraction = { responseFormat: 'jsonl' };
    await fc.assert(
      fc.asyncProperty(records, change, async (value, edit) => {
        const lines = value.map((one) => JSON.stringify(one)).join('\n');
        await expectSameAsWhole(changed(lines, edit), { extraction });
      }),
    );
  });

  it('CSV, valid or not', async () => {
    const extraction = { responseFormat: 'csv' };
    const cell = fc.oneof(fc.string(), fc.constantFrom('a\nb', 'a\r\nb', '"', ',', ''));
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 8 });
    const end = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(rows, end, change, async (values, lineEnd, edit) => {
        const lines = [['id', 'b'], ...values].map((row) =>
          row.map((value) => `"${value.replaceAll('"', '""')}"`).join(),
        );
        await expectSameAsWhole(changed(lines.join(lineEnd), edit), { extraction });
      }),
    );
  });

  it('CSV of any dialect', async () => {
    const csv = { delimiter: ';', quote: "'", skipLines: 2, columns: ['id', 'b'], comment: '#', encoding: 'latin1' };
    const body = iconv.encode("Report\r\n'\r\n# none\r\n1;'é;\n'\r\n2;", 'latin1');
    const expected = [
      { id: '1', b: 'é;\n' },
      { id: '2', b: null },
    ];
    for (const options of [{ partBytes: 1 }, { partBytes: 11 }, WHOLE]) {
      const page = await openPage(body, { extraction: { responseFormat: 'csv', csv }, ...options });
      expect(page.records).toEqual(expected);
    }
  });

  const items = [
    { n: { id: 'é€' }, ok: true },
    { n: null, ok: false },
    { n: { id: 2 }, ok: true },
  ];

  it.each([
    ['items[*].n', [{ id: 'é€' }, { id: 2 }]],
    ['items[?ok].n', [{ id: 'é€' }, { id: 2 }]],
    ['items[].n', [{ id: 'é€' }, { id: 2 }]],
    ['items[*].{id: n.id}', [{ id: 'é€' }, { id: null }, { id: 2 }]],
  ])('a projection: %s', async (responsePath, expected) => {
    const page = await openPage(JSON.stringify({ items }), { extraction: { responsePath }, partBytes: 8 });
    expect(page.records).toEqual(expected);
    expect(page.parts).toBeGreaterThan(1);
  });

  it.each(['utf-16le', 'utf-16be', 'utf-8'])('text in %s with a byte order mark', async (encoding) => {
    for (const [responseFormat, text] of [
      ['json', '[{"id":"é€"}]'],
      ['jsonl', '{"id":"é€"}'],
      ['csv', 'id\né€'],
    ]) {
      const body = iconv.encode(text as string, encoding, { addBOM: true });
      expect((await openPage(body, { extraction: { responseFormat }, partBytes: 1 })).records).toEqual([{ id: 'é€' }]);
    }
  });

  it('numbers keep all digits', async () => {
    const { records: read } = await openPage('{"items":[{"id":9007199254740993},{"id":1.10}]}', {
      extraction: { responsePath: 'items' },
    });
    expect(JSON.stringify(read)).toBe('[{"id":9007199254740993},{"id":1.1}]');
  });

  it('names of members may be escaped', async () => {
    const page = await openPage(String.raw`{"it\u0065ms":[{"id":1}]}`, { extraction: { responsePath: 'items' } });
    expect(page).toMatchObject({ records: [{ id: 1 }], document: { items: [] } });
  });
});

describe('a body that is read part by part', () => {
  const list = Array.from({ length: 20 }, (_, id) => ({ id }));

  it('yields batches of limited size, and keeps the members before and after the list', async () => {
    const body = JSON.stringify({ total: 20, items: list, next: 'abc' });
    const page = await openPage(body, { extraction: { responsePath: 'items' }, partBytes: 8 });
    expect(page).toMatchObject({ records: list, document: { total: 20, items: [], next: 'abc' } });
    expect(page.parts).toBeGreaterThan(3);
  });

  it.each([
    ['the pagination uses its last record', { pagination: { type: 'cursor', cursor: { cursorPath: 'items[-1].id' } } }],
    ['the pagination uses any value', { pagination: { type: 'cursor', cursor: { cursorPath: 'values(@)[0]' } } }],
  ])('has its list if %s', async (_, option) => {
    const page = await openPage(JSON.stringify({ items: list }), {
      extraction: { responsePath: 'items' },
      option: { option: option as never },
    });
    expect(page.document).toEqual({ items: list });
  });

  it.each(['data.items[-1].id', 'data | items[-1].id', 'data.[items] | [0][-1].id', 'data.{all: items}.all[-1].id'])(
    'has its nested list for the cursor %s',
    async (cursorPath) => {
      const page = await openPage(JSON.stringify({ data: { items: list } }), {
        extraction: { responsePath: 'data.items' },
        option: { option: { pagination: { type: 'cursor', cursor: { cursorPath } } } as never },
      });
      expect(page.document).toEqual({ data: { items: list } });
    },
  );

  it.each(['items[0:2]', 'items[*].id | [0]', 'sort_by(items, &id)', 'items || other'])(
    'is not divided for %s, whose result depends on the whole list',
    async (responsePath) => {
      const body = JSON.stringify({ items: list });
      const read = (sizes: object) => outcomeOf(body, { extraction: { responsePath }, ...sizes });
      expect(await read({})).toEqual(await read(WHOLE));
    },
  );

  it('uses the fallback path if the first path has no value', async () => {
    const extraction = { responsePath: 'a', responsePathFallback: 'b' };
    for (const body of [{ b: list }, { b: list, a: null }])
      expect((await openPage(JSON.stringify(body), { extraction })).records).toEqual(list);
    expect((await openPage(JSON.stringify({ b: [], a: list }), { extraction })).records).toEqual(list);
  });

  it('fails with the error that the response reports in addition to its list', async () => {
    const errorBodyRules = [{ when: "status == 'partial'", action: 'retry' }];
    const reported = openPage(JSON.stringify({ items: list, status: 'partial' }), {
      extraction: { responsePath: 'items' },
      option: { option: { errorBodyRules } as never },
    });
    await expect(reported).rejects.toMatchObject({ errorClass: 'vendor_unavailable', action: 'retry' });
  });

  it('rejects a list that occurs twice', async () => {
    const body = '{"items":[{"id":1}],"items":[{"id":2}]}';
    await expect(openPage(body, { extraction: { responsePath: 'items' } })).rejects.toThrow(
      'The response contains the list of records twice.',
    );
  });

  it('names the element that is not an object', async () => {
    const body = JSON.stringify({ items: [...list, 'secret'] });
    await expect(openPage(body, { extraction: { responsePath: 'items' } })).rejects.toThrow(
      'responsePath: element 21 of the list at items is a string instead of an object.',
    );
  });

  it('rejects nesting of more than 64 levels, in the list and around it', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const read = (body: string) => openPage(body, { extraction: { responsePath: 'items' } });
    expect((await read(`{"items":[{"id":1,"n":${nested(61)}}],"n":${nested(63)}}`)).records).toHaveLength(1);
    for (const body of [`{"items":[{"n":${nested(62)}}]}`, `{"items":[],"n":${nested(64)}}`])
      await expect(read(body)).rejects.toThrow('The response is nested more than 64 levels deep.');
  });
});

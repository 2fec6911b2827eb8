import { tmpdir } from 'node:os';
import { buildSchema, graphql } from 'graphql';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createErrorReporter } from '../../../src/http/report-error.js';
import { toAppError } from '../../../src/kernel/errors.js';
import { DuckDb } from '../../../src/tables/duckdb.js';

const CANARY = 'sk-canary';
const schema = buildSchema('enum Color { red } type Query { count: Int, color: Color, list: [Int!], text: String! }');

async function logged(source: string, values: object): Promise<{ lines: string; codes: string[] }> {
  let lines = '';
  const report = createErrorReporter(pino({ level: 'trace' }, { write: (line: string) => (lines += line) }));
  const { errors = [] } = await graphql({ schema, source, rootValue: values });
  for (const error of errors) report(error, 'a request');
  return { lines, codes: errors.map((error) => toAppError(error).code) };
}

describe('a value that cannot be serialized', () => {
  it.each([
    ['an invalid number', '{ sk_alias: count }', { count: CANARY }, 'count'],
    ['an unknown enum value', '{ color }', { color: CANARY }, 'color'],
    ['an item of a list', '{ list }', { list: [1, CANARY] }, 'list'],
    ['an object for a text', '{ text }', { text: { a: CANARY } }, 'text'],
  ])('%s: the log contains the field but not the value', async (_, source, values, field) => {
    const { lines, codes } = await logged(source, values);
    expect(codes).toEqual(['INTERNAL']);
    expect(lines).not.toMatch(/canary|sk_alias/);
    expect(JSON.parse(lines).cause).toEqual({ name: 'GraphQLError', field });
  });

  it('the log contains the kind of a DuckDB error but not the value that its message quotes', async () => {
    let lines = '';
    const report = createErrorReporter(pino({ level: 'trace' }, { write: (line: string) => (lines += line) }));
    const duckdb = new DuckDb({ folder: tmpdir() });
    await duckdb.rows(`select cast('${CANARY}' as INTEGER)`).catch((error) => report(error, 'a request'));
    await duckdb.close();
    expect(lines).not.toContain('canary');
    expect(JSON.parse(lines).cause).toEqual({ name: 'Error', fault: 'DuckDB: Conversion' });
  });

  it('the log contains message and stack of other errors', async () => {
    const fails = () => {
      throw new TypeError('nothing is there');
    };
    const { cause } = JSON.parse((await logged('{ count }', { count: fails })).lines);
    expect([cause.name, cause.message]).toEqual(['TypeError', 'nothing is there']);
    expect(cause.stack).toContain('report-error.test');
  });
});

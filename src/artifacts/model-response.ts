import { z } from 'zod';
import { CsvError } from '../csv/model/csv-error.js';
import type { ProposedTypes } from '../csv/model/data-schema.js';

/** Letters of Unicode TR 35 and what stands between them, so that no other text of the model gets into a schema. */
const FORMAT = /^(?:[yMdEHhmsSaXxZ :/.,-]|'[TZ]'){1,40}$/;

const format = z.string().refine((text) => FORMAT.test(text));
const decimalSeparator = z.enum(['.', ',']);
const groupSeparator = z.enum(['.', ',', ' ', "'", '\u00a0', '\u202f']);
const fraction = { decimalSeparator: decimalSeparator.optional(), groupSeparator: groupSeparator.optional() };

/**
 * What a model may say of a column. What else would change the meaning of values without any of them being refused, such as which text is
 * true and which one means that there is no value, is left to the rules.
 */
const columnProposal = z.union([
  z.object({ type: z.enum(['String', 'Boolean', 'UUID', 'JSON']) }),
  z.object({ type: z.enum(['Date', 'DateTime', 'DateTimeOffset', 'Time']), format: format.optional() }),
  z.object({ type: z.literal('Integer'), groupSeparator: groupSeparator.optional() }),
  z.object({ type: z.literal('Double'), ...fraction }).refine(hasTwoSeparators),
  z
    .object({ type: z.literal('Decimal'), ...fraction, unit: z.enum(['%', '$', '€', '£', '¥']).optional() })
    .refine(hasTwoSeparators),
]);

/** The whole answer: a proposal by name of the column. Without keywords that servers with a grammar of their own do not know. */
export const RESPONSE_SCHEMA = z.toJSONSchema(z.object({}).catchall(columnProposal));

function hasTwoSeparators(column: { decimalSeparator?: string; groupSeparator?: string }): boolean {
  return (column.decimalSeparator ?? '.') !== column.groupSeparator;
}

/**
 * Proposals of an answer for the columns that were asked for, each as it is allowed to be; everything else of the answer is dropped. Throws
 * `CsvError` 027 where none is left.
 */
export function parseModelResponse(text: string, names: readonly string[]): ProposedTypes {
  const answer = parseObject(text);
  const proposals: Record<string, ProposedTypes[string]> = Object.create(null);
  for (const name of names) {
    const { data } = columnProposal.safeParse(answer[name]);
    if (data) proposals[name] = data;
  }
  if (Object.keys(proposals).length === 0) throw unusableResponse('it names no type of any column');
  return proposals;
}

/** Without a cause, which would quote the answer. */
export function unusableResponse(why: string): CsvError {
  return new CsvError('WA-AF-027', `The answer of the language model cannot be used: ${why}.`);
}

function parseObject(text: string): Record<string, unknown> {
  // Models like to wrap JSON into a block of Markdown, also when told not to.
  const [, json = text] = /^\s*```(?:json)?\n([\s\S]*)\n```\s*$/.exec(text) ?? [];
  try {
    // Many spell what they leave out as null.
    const answer: unknown = JSON.parse(json, (_, value) => value ?? undefined);
    if (typeof answer === 'object' && !Array.isArray(answer) && answer) return answer as Record<string, unknown>;
  } catch {
    throw unusableResponse('it is not JSON');
  }
  throw unusableResponse('it is not an object');
}

import { z } from 'zod';
import { CsvError } from '../csv/model/csv-error.js';
import type { ProposedTypes } from '../csv/model/data-schema.js';

/** Separators, and pattern letters of Unicode TR 35. The service accepts no other text of the model as a format. */
const FORMAT = /^(?:[yMdEHhmsSaXxZ :/.,-]|'[TZ]'){1,40}$/;

const format = z.string().refine((text) => FORMAT.test(text));
const decimalSeparator = z.enum(['.', ',']);
const groupSeparator = z.enum(['.', ',', ' ', "'", '\u00a0', '\u202f']);
const fraction = { decimalSeparator: decimalSeparator.optional(), groupSeparator: groupSeparator.optional() };

/**
 * A model may propose only these settings. The service infers all other settings by rules, because it cannot verify a
 * proposal for them.
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

/** Contains only JSON Schema keywords that servers with constrained decoding support. */
export const RESPONSE_SCHEMA = z.toJSONSchema(z.object({}).catchall(columnProposal));

function hasTwoSeparators(column: { decimalSeparator?: string; groupSeparator?: string }): boolean {
  return (column.decimalSeparator ?? '.') !== column.groupSeparator;
}

/**
 * Ignores all proposals that are invalid or not for one of `names`. Throws `CsvError` WA-AF-027 if the response is not
 * a JSON object or contains no valid proposal.
 */
export function parseModelResponse(text: string, names: readonly string[]): ProposedTypes {
  const response = parseObject(text);
  const proposals: Record<string, ProposedTypes[string]> = Object.create(null);
  for (const name of names) {
    const { data } = columnProposal.safeParse(response[name]);
    if (data) proposals[name] = data;
  }
  if (Object.keys(proposals).length === 0) throw unusableResponse('it contains no valid column type');
  return proposals;
}

/** Has no `cause`, because the cause would quote the response. */
export function unusableResponse(why: string): CsvError {
  return new CsvError('WA-AF-027', `The response of the language model is unusable: ${why}.`);
}

function parseObject(text: string): Record<string, unknown> {
  // Models often wrap JSON in a Markdown code block, although the instructions forbid it.
  const [, json = text] = /^\s*```(?:json)?\n([\s\S]*)\n```\s*$/.exec(text) ?? [];
  try {
    // Many models write null instead of omitting a property.
    const response: unknown = JSON.parse(json, (_, value) => value ?? undefined);
    if (typeof response === 'object' && !Array.isArray(response) && response)
      return response as Record<string, unknown>;
  } catch {
    throw unusableResponse('it is not JSON');
  }
  throw unusableResponse('it is not a JSON object');
}

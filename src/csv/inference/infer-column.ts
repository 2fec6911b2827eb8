import { type Doubt, isUndecided, type TypeProposal } from '../formats/column-format.js';
import { EMPTY_QUOTES } from '../header/cell-type.js';
import type { ColumnMetadata, FieldType, ProposedTypes, SchemaField } from '../model/data-schema.js';
import type { ColumnSample } from '../types/column-sample.js';
import { createBoundedReader } from '../types/column-type.js';
import { columnTypes, widerTypes } from '../types/column-types.js';
import { describeTypeMismatch } from '../types/describe-type-mismatch.js';
import { checkDigitDoubts } from './check-digits.js';
import { completeProposal } from './complete-proposal.js';
import { formatDoubts, judgeDoubts, sampleDoubts } from './confidence.js';
import { nameDoubts } from './name-hints.js';
import { findRepeatedToken } from './null-tokens.js';
import { type SampledColumn, withNullToken } from './sampled-column.js';

export interface InferredColumn {
  readonly field: SchemaField;
  readonly metadata: ColumnMetadata;
}

interface Trial {
  readonly proposal: TypeProposal;
  readonly failures: number;
  readonly firstFailure: string;
}

/** In a column of one of these types, a repeated abbreviation is a null token. */
const WORDLESS: readonly FieldType[] = ['Integer', 'Decimal', 'Double', 'Date', 'DateTime', 'DateTimeOffset', 'Time'];

/**
 * Infers the type of a column from its values. The first of these steps that succeeds determines the type:
 * 1. Uses `given` if it reads every value.
 * 2. Uses the narrowest type that reads every value.
 * 3. Takes the type that reads the most values, and tries its wider types.
 * 4. If all values that do not fit this type are the same abbreviation, starts again with this abbreviation as a null
 *    token.
 * 5. Falls back to String.
 *
 * A detected type that is undecided also becomes String.
 */
export function inferColumn(column: SampledColumn, given?: ProposedTypes[string]): InferredColumn {
  const { field, sample } = column;
  const trialOfGiven = given && tryGivenProposal(given, sample);
  const trial = trialOfGiven ?? bestTrial(sample);
  const accepted = withMeasuredSize(trial?.failures ? widerProposal(trial, sample) : trial?.proposal, sample);
  const token = trial && !accepted ? repeatedTokenOf(trial, sample) : undefined;
  if (token !== undefined) return inferColumn(withNullToken(column, token), given);
  if (!accepted || accepted.format.type === 'String') {
    const failedTrial = trial?.failures && !isUndecided(trial.proposal) ? trial : undefined;
    return failedTrial ? demotedColumn(column, failedTrial) : textColumn(column, []);
  }
  const doubts = [
    ...accepted.doubts,
    ...formatDoubts(accepted.format),
    ...nameDoubts(field.name, accepted.format, sample.values),
    ...checkDigitDoubts(accepted.format, sample.values),
  ];
  const isRejected = !trialOfGiven && isUndecided({ ...accepted, doubts });
  return isRejected ? textColumn(column, doubts) : typedColumn(column, { ...accepted, doubts });
}

/**
 * Returns a String column, because no other type fits most of the values, or because their type is undecided. In such a
 * column, null tokens are ordinary strings.
 */
function textColumn(column: SampledColumn, doubts: readonly Doubt[]): InferredColumn {
  const { field, presentTexts, sample } = column;
  const isEmpty = sample.values.length === 0;
  const reasons = [...doubts, ...sampleDoubts(isEmpty ? 0 : presentTexts.length)];
  return {
    field: stringField(column),
    metadata: {
      fieldPath: field.name,
      ...judgeDoubts(reasons),
      demoted: false,
      sampleSeen: presentTexts.length,
      sampleFailures: 0,
    },
  };
}

/** Returns a String column, because the tried type fits most values, but not all. */
function demotedColumn(column: SampledColumn, trial: Trial): InferredColumn {
  const { field, texts, sample } = column;
  const seen = sample.values.length;
  const reason = `${trial.failures} of ${seen} values ${trial.failures === 1 ? 'is' : 'are'} not ${columnTypes[trial.proposal.format.type].describe(trial.proposal.format)}. The other values fit.`;
  return {
    field: stringField(column),
    metadata: {
      fieldPath: field.name,
      ...judgeDoubts([{ level: 'low', reason }, ...sampleDoubts(seen)]),
      demoted: true,
      sampleSeen: seen,
      sampleFailures: trial.failures,
      firstSampleError: describeFailure(trial, texts),
    },
  };
}

function typedColumn(column: SampledColumn, { format, doubts }: TypeProposal): InferredColumn {
  const { field, texts, presentTexts, sample, tokens } = column;
  const seen = sample.values.length;
  const nullTokens = presentTexts.length - seen;
  return {
    field: {
      ...nameOf(field),
      ...format,
      nullable: nullTokens > 0 || texts.includes(''),
      ...(tokens.length > 0 && { nullTokens: tokens }),
    },
    metadata: {
      fieldPath: field.name,
      ...judgeDoubts([...doubts, ...tokenDoubts(column), ...sampleDoubts(seen, nullTokens)]),
      demoted: false,
      sampleSeen: seen,
      sampleFailures: 0,
    },
  };
}

function tokenDoubts({ presentTexts, repeatedTokens }: SampledColumn): Doubt[] {
  const quotes = presentTexts.filter((text) => text === EMPTY_QUOTES).length;
  const found = [
    ...repeatedTokens.map(({ token, count }) => ({ token, count, level: 'low' as const, meaning: 'a missing value' })),
    ...(quotes > 0
      ? [{ token: EMPTY_QUOTES, count: quotes, level: 'medium' as const, meaning: 'an empty value' }]
      : []),
  ];
  return found.map(({ token, count, level, meaning }) => ({
    level,
    reason: `"${token}" occurs ${count === 1 ? 'once' : `${count} times`} and is read as ${meaning}.`,
  }));
}

function stringField({ field, texts }: SampledColumn): SchemaField {
  return { ...nameOf(field), type: 'String', nullable: texts.includes('') };
}

function nameOf({ name, title }: SchemaField): Pick<SchemaField, 'name' | 'title'> {
  return title === undefined ? { name } : { name, title };
}

/**
 * Returns undefined if no format of the type fits all values. For example, the values may need too many digits before
 * and after the decimal point.
 */
function withMeasuredSize(proposal: TypeProposal | undefined, { values }: ColumnSample): TypeProposal | undefined {
  const measure = proposal && columnTypes[proposal.format.type].measure;
  if (!measure) return proposal;
  const format = measure(proposal.format, values);
  return format && { ...proposal, format };
}

function tryGivenProposal(given: ProposedTypes[string], sample: ColumnSample): Trial | undefined {
  const proposal = completeProposal(given, sample);
  const trial = proposal && tryProposal(proposal, sample);
  return trial?.failures === 0 ? trial : undefined;
}

/**
 * Returns the first type that reads all values. If there is none, returns the type that reads the most values, but only
 * if it reads at least half of them.
 */
function bestTrial(sample: ColumnSample): Trial | undefined {
  let best: Trial | undefined;
  for (const type of Object.values(columnTypes)) {
    const proposal = type.propose(sample);
    if (!proposal) continue;
    const trial = tryProposal(proposal, sample, (failures) => sample.isMajority(failures));
    if (!trial) continue;
    if (trial.failures === 0) return trial;
    if (!best || trial.failures < best.failures) best = trial;
  }
  return best;
}

function tryProposal(
  proposal: TypeProposal,
  { values }: ColumnSample,
  isHopeless: (failures: number) => boolean = () => false,
): Trial | undefined {
  const read = createBoundedReader(columnTypes[proposal.format.type], proposal.format);
  if (!read) return undefined;
  let failures = 0;
  let firstFailure = '';
  for (const value of values) {
    if (read(value) !== undefined) continue;
    if (failures === 0) firstFailure = value;
    if (isHopeless(++failures)) return undefined;
  }
  return { proposal, failures, firstFailure };
}

function widerProposal({ proposal }: Trial, sample: ColumnSample): TypeProposal | undefined {
  return widerTypes[proposal.format.type]
    .map((name) => columnTypes[name].propose(sample))
    .find((candidate) => candidate && !isUndecided(candidate) && tryProposal(candidate, sample)?.failures === 0);
}

function repeatedTokenOf({ proposal }: Trial, { values }: ColumnSample): string | undefined {
  if (!WORDLESS.includes(proposal.format.type) || isUndecided(proposal)) return undefined;
  const read = createBoundedReader(columnTypes[proposal.format.type], proposal.format);
  return findRepeatedToken(values.filter((value) => read?.(value) === undefined));
}

/** Describes the first failure, such as `row 17: "31/02/2024" is not a date (dd/MM/yyyy)`. */
function describeFailure({ proposal, firstFailure }: Trial, texts: readonly string[]): string {
  const row = texts.indexOf(firstFailure) + 1;
  return `row ${row}: ${describeTypeMismatch(firstFailure, proposal.format)}`;
}

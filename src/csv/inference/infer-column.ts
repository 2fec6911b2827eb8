import type { TypeProposal } from '../formats/column-format.js';
import type { ColumnMetadata, ProposedTypes, SchemaField } from '../model/data-schema.js';
import { ColumnSample } from '../types/column-sample.js';
import { createBoundedReader } from '../types/column-type.js';
import { columnTypes, widerTypes } from '../types/column-types.js';
import { describeTypeMismatch } from '../types/describe-type-mismatch.js';
import { completeProposal } from './complete-proposal.js';
import { confidenceOf } from './confidence.js';
import { hintsOf, type NameHints } from './name-hints.js';
import { splitNullTokens } from './null-tokens.js';

export interface InferredColumn {
  readonly field: SchemaField;
  readonly metadata: ColumnMetadata;
}

/** Result of reading all values with a proposed type. */
interface Trial {
  readonly proposal: TypeProposal;
  readonly failures: number;
  readonly firstFailure: string;
}

/**
 * Infers the type of a column from its values. The values are in row order and trimmed; a missing value is `''`. Uses
 * `given` if it reads every value. Otherwise proposes the narrowest type that most values fit. If that type does not
 * read every value, falls back to wider types and finally to String.
 */
export function inferColumn(
  field: SchemaField,
  texts: readonly string[],
  given?: ProposedTypes[string],
): InferredColumn {
  const presentTexts = texts.filter((text) => text !== '');
  const { values, tokens } = splitNullTokens(presentTexts);
  const sample = new ColumnSample(values);
  const trialOfGiven = given && tryGivenProposal(given, sample);
  const trial = trialOfGiven ?? bestTrial(sample);
  const accepted = withMeasuredSize(trial?.failures ? widerProposal(trial, sample) : trial?.proposal, values);
  const hints = hintsOf(field.name);
  // A proposed type has precedence over the hints of the name.
  const isUndecided = accepted?.doubt === 'undecided' || (hints.isVersion && !trialOfGiven);
  const column: Column = { field, texts, presentTexts, values, tokens, hints };
  if (!accepted || isUndecided || accepted.format.type === 'String') {
    const failedTrial = trial?.failures && !accepted && trial.proposal.doubt !== 'undecided' ? trial : undefined;
    const isDoubtful = failedTrial !== undefined || values.length === 0 || (isUndecided && accepted !== undefined);
    return textColumn(column, isDoubtful, failedTrial);
  }
  return typedColumn(column, accepted);
}

/** A column before its type is decided. */
interface Column {
  readonly field: SchemaField;
  readonly texts: readonly string[];
  /** Non-empty strings. `values` are the strings that are not null tokens. */
  readonly presentTexts: readonly string[];
  readonly values: readonly string[];
  readonly tokens: readonly string[];
  readonly hints: NameHints;
}

/** Here null tokens are ordinary strings. `failedTrial` is the rejected proposal, if any. */
function textColumn(column: Column, isDoubtful: boolean, failedTrial: Trial | undefined): InferredColumn {
  const { field, texts, presentTexts, values, hints } = column;
  const seen = failedTrial ? values.length : presentTexts.length;
  return {
    field: { ...nameOf(field), type: 'String', nullable: presentTexts.length < texts.length },
    metadata: {
      fieldPath: field.name,
      confidence: confidenceOf({ format: { type: 'String' }, seen, nullTokens: 0, isDoubtful, hints }),
      demoted: failedTrial !== undefined,
      sampleSeen: seen,
      sampleFailures: failedTrial?.failures ?? 0,
      ...(failedTrial && { firstSampleError: describeFailure(failedTrial, texts) }),
    },
  };
}

function typedColumn(column: Column, { format, doubt }: TypeProposal): InferredColumn {
  const { field, texts, presentTexts, values, tokens, hints } = column;
  const nullTokens = presentTexts.length - values.length;
  const isDoubtful = doubt !== undefined || values.length === 0;
  return {
    field: {
      ...nameOf(field),
      ...format,
      nullable: values.length < texts.length,
      ...(tokens.length > 0 && { nullTokens: tokens }),
    },
    metadata: {
      fieldPath: field.name,
      confidence: confidenceOf({ format, seen: values.length, nullTokens, isDoubtful, hints }),
      demoted: false,
      sampleSeen: values.length,
      sampleFailures: 0,
    },
  };
}

function nameOf({ name, title }: SchemaField): Pick<SchemaField, 'name' | 'title'> {
  return title === undefined ? { name } : { name, title };
}

/** Adds the precision and scale. Undefined if the type cannot hold all values together. */
function withMeasuredSize(proposal: TypeProposal | undefined, values: readonly string[]): TypeProposal | undefined {
  const measure = proposal && columnTypes[proposal.format.type].measure;
  if (!measure) return proposal;
  const format = measure(proposal.format, values);
  return format && { ...proposal, format };
}

/** Undefined if the given type cannot read every value. */
function tryGivenProposal(given: ProposedTypes[string], sample: ColumnSample): Trial | undefined {
  const proposal = completeProposal(given, sample);
  const trial = proposal && tryProposal(proposal, sample);
  return trial?.failures === 0 ? trial : undefined;
}

/** The first type that reads all values; otherwise the type that reads the most values, if it reads at least half. */
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

/** A wider type that reads all values. */
function widerProposal({ proposal }: Trial, sample: ColumnSample): TypeProposal | undefined {
  return widerTypes[proposal.format.type]
    .map((name) => columnTypes[name].propose(sample))
    .find(
      (candidate) => candidate && candidate.doubt !== 'undecided' && tryProposal(candidate, sample)?.failures === 0,
    );
}

/**
 * Describes the first failure, such as `row 17: "31/02/2024" is not a date (dd/MM/yyyy)`. `indexOf` finds the row,
 * because equal values fail in the same way.
 */
function describeFailure({ proposal, firstFailure }: Trial, texts: readonly string[]): string {
  const row = texts.indexOf(firstFailure) + 1;
  return `row ${row}: ${describeTypeMismatch(firstFailure, proposal.format)}`;
}

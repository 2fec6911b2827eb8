import { ColumnSample } from './column-sample.js';
import type { Proposal } from './column-shape.js';
import { boundedReader } from './column-type.js';
import { columnTypes, widerTypes } from './column-types.js';
import { completeProposal } from './complete-proposal.js';
import { confidenceOf } from './confidence.js';
import type { ColumnMetadata, ProposedTypes, SchemaField } from './data-schema.js';
import { describeMisfit } from './describe-misfit.js';
import { hintsOf, type NameHints } from './name-hints.js';
import { withoutNullTokens } from './null-tokens.js';

export interface InferredColumn {
  readonly field: SchemaField;
  readonly metadata: ColumnMetadata;
}

/** What a proposed type made of the values. */
interface Trial {
  readonly proposal: Proposal;
  readonly failures: number;
  readonly firstFailure: string;
}

/**
 * Finds the type of a column by its values in the order of the rows, trimmed, `''` where there is none. Takes the `given` type where it reads every
 * value. Otherwise proposes the narrowest type that most of them fit; then that has to read every value, or the column moves on to wider ones and at
 * last to String.
 */
export function inferColumn(
  field: SchemaField,
  texts: readonly string[],
  given?: ProposedTypes[string],
): InferredColumn {
  const present = texts.filter((text) => text !== '');
  const { values, tokens } = withoutNullTokens(present);
  const sample = new ColumnSample(values);
  const trialOfGiven = given && tryOutGiven(given, sample);
  const trial = trialOfGiven ?? bestTrial(sample);
  const accepted = measured(trial?.failures ? wider(trial, sample) : trial?.proposal, values);
  const hints = hintsOf(field.name);
  // Whoever proposes a type knows better than the name.
  const isUndecided = accepted?.doubt === 'undecided' || (hints.isVersion && !trialOfGiven);
  const column: Column = { field, texts, present, values, tokens, hints };
  if (!accepted || isUndecided || accepted.shape.type === 'String') {
    const refused = trial?.failures && !accepted && trial.proposal.doubt !== 'undecided' ? trial : undefined;
    const isDoubtful = refused !== undefined || values.length === 0 || (isUndecided && accepted !== undefined);
    return textColumn(column, isDoubtful, refused);
  }
  return typedColumn(column, accepted);
}

/** What is known of a column before it has a type. */
interface Column {
  readonly field: SchemaField;
  readonly texts: readonly string[];
  /** Texts that are not empty; `values` are those of them that are no null tokens either. */
  readonly present: readonly string[];
  readonly values: readonly string[];
  readonly tokens: readonly string[];
  readonly hints: NameHints;
}

/** Null tokens are texts like others here. `refused` is what was proposed in vain. */
function textColumn(column: Column, isDoubtful: boolean, refused: Trial | undefined): InferredColumn {
  const { field, texts, present, values, hints } = column;
  const seen = refused ? values.length : present.length;
  return {
    field: { ...nameOf(field), type: 'String', nullable: present.length < texts.length },
    metadata: {
      fieldPath: field.name,
      confidence: confidenceOf({ shape: { type: 'String' }, seen, nullTokens: 0, isDoubtful, hints }),
      demoted: refused !== undefined,
      sampleSeen: seen,
      sampleFailures: refused?.failures ?? 0,
      ...(refused && { firstSampleError: describeFailure(refused, texts) }),
    },
  };
}

function typedColumn(column: Column, { shape, doubt }: Proposal): InferredColumn {
  const { field, texts, present, values, tokens, hints } = column;
  const nullTokens = present.length - values.length;
  const isDoubtful = doubt !== undefined || values.length === 0;
  return {
    field: {
      ...nameOf(field),
      ...shape,
      nullable: values.length < texts.length,
      ...(tokens.length > 0 && { nullTokens: tokens }),
    },
    metadata: {
      fieldPath: field.name,
      confidence: confidenceOf({ shape, seen: values.length, nullTokens, isDoubtful, hints }),
      demoted: false,
      sampleSeen: values.length,
      sampleFailures: 0,
    },
  };
}

function nameOf({ name, title }: SchemaField): Pick<SchemaField, 'name' | 'title'> {
  return title === undefined ? { name } : { name, title };
}

/** With how large the values are. Undefined where the type cannot hold all of them together. */
function measured(proposal: Proposal | undefined, values: readonly string[]): Proposal | undefined {
  const measure = proposal && columnTypes[proposal.shape.type].measure;
  if (!measure) return proposal;
  const shape = measure(proposal.shape, values);
  return shape && { ...proposal, shape };
}

/** A type from outside that refuses a value is of no use: the rules know better. */
function tryOutGiven(given: ProposedTypes[string], sample: ColumnSample): Trial | undefined {
  const proposal = completeProposal(given, sample);
  const trial = proposal && tryOut(proposal, sample);
  return trial?.failures === 0 ? trial : undefined;
}

/** The first type that reads all values, or else the one that reads the most of them, at least half. */
function bestTrial(sample: ColumnSample): Trial | undefined {
  let best: Trial | undefined;
  for (const type of Object.values(columnTypes)) {
    const proposal = type.propose(sample);
    if (!proposal) continue;
    const trial = tryOut(proposal, sample, (failures) => sample.isTooMany(failures));
    if (!trial) continue;
    if (trial.failures === 0) return trial;
    if (!best || trial.failures < best.failures) best = trial;
  }
  return best;
}

function tryOut(
  proposal: Proposal,
  { values }: ColumnSample,
  isHopeless: (failures: number) => boolean = () => false,
): Trial | undefined {
  const read = boundedReader(columnTypes[proposal.shape.type], proposal.shape);
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

/** A type above the tried one that reads all that it refuses. */
function wider({ proposal }: Trial, sample: ColumnSample): Proposal | undefined {
  return widerTypes[proposal.shape.type]
    .map((name) => columnTypes[name].propose(sample))
    .find((candidate) => candidate && candidate.doubt !== 'undecided' && tryOut(candidate, sample)?.failures === 0);
}

/** Such as `row 17: "31/02/2024" is not a date (dd/MM/yyyy)`. Equal values fail alike, so that the first one is found by its text. */
function describeFailure({ proposal, firstFailure }: Trial, texts: readonly string[]): string {
  const row = texts.indexOf(firstFailure) + 1;
  return `row ${row}: ${describeMisfit(firstFailure, proposal.shape)}`;
}

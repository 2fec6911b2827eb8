import { Float, Int } from 'type-graphql';
import { OptionalField, PlainObjectType, RequiredField } from '../../kernel/entities/column-decorators.js';
import { DateTime } from '../../kernel/entities/scalars.js';
import { CheckStatus, Comparator } from '../contracts/quality-check.js';
import { SpcStatus } from '../contracts/spc-rule.js';
import { CheckSpec } from '../results/table-quality-result.js';

@PlainObjectType('Status of a check in a stored run, before and after a change to the contract.')
export class CheckPreviewRun {
  @RequiredField('Time of the run.', () => DateTime)
  capturedAt: string;

  @RequiredField('Observed value.', () => Float)
  observed: number;

  @RequiredField('Status that was stored for the run.', () => CheckStatus)
  before: CheckStatus;

  @RequiredField('Status under the changed contract.', () => CheckStatus)
  after: CheckStatus;
}

@PlainObjectType('A check of a changed contract, applied to the stored results.')
export class CheckPreview {
  @RequiredField('Definition of the check.', () => CheckSpec)
  spec: CheckSpec;

  @RequiredField('Comparison of the observed value with `threshold`.', () => Comparator)
  comparator: Comparator;

  @RequiredField('Value that the observed value is compared with.', () => Float)
  threshold: number;

  @OptionalField(
    'Sentence that explains why the stored results cannot predict the effect of the change. `runs` is then empty. Null if the stored results suffice.',
  )
  unknownBecause?: string;

  @RequiredField('Stored runs with an observed value, oldest first.', () => [CheckPreviewRun])
  runs: CheckPreviewRun[];
}

@PlainObjectType('Status of a point of a control chart, before and after a change to the contract.')
export class SeriesPreviewPoint {
  @RequiredField('Time of the run.', () => DateTime)
  capturedAt: string;

  @RequiredField('Value that the run measured.', () => Float)
  value: number;

  @RequiredField('Status that was stored for the run.', () => SpcStatus)
  before: SpcStatus;

  @RequiredField('Status under the changed contract.', () => SpcStatus)
  after: SpcStatus;
}

@PlainObjectType('A series of a changed contract, evaluated again from its stored points.')
export class SeriesPreview {
  @RequiredField('Id of the series: `<contract>:<kind>[:<column>]`.')
  seriesId: string;

  @RequiredField('Stored points, oldest first. Empty for a series that the change adds to the contract.', () => [
    SeriesPreviewPoint,
  ])
  points: SeriesPreviewPoint[];
}

@PlainObjectType('Effect that a change to a contract would have had on the stored results.')
export class TableContractPreview {
  @RequiredField('Number of stored runs that the preview evaluates.', () => Int)
  runs: number;

  @RequiredField('Checks of the changed contract.', () => [CheckPreview])
  checks: CheckPreview[];

  @RequiredField('Series of the changed contract.', () => [SeriesPreview])
  series: SeriesPreview[];
}

import type { GroupingReleaseStage } from '../../gql/graphql.js';
import type { Tone } from '../../ui/tone.js';

export const RELEASE_STAGE_TONES: Readonly<Record<GroupingReleaseStage, Tone>> = {
  ga: 'good',
  beta: 'info',
  alpha: 'info',
  private_preview: 'info',
  planned: 'neutral',
  deprecated: 'warn',
  sunset: 'bad',
};

import type { GroupingReleaseStage } from '../../gql/graphql.js';
import type { StatusView } from '../../ui/tone.js';

export const RELEASE_STAGES: Readonly<Record<GroupingReleaseStage, StatusView>> = {
  ga: { label: 'Generally available', tone: 'good' },
  beta: { label: 'Beta', tone: 'info' },
  alpha: { label: 'Alpha', tone: 'info' },
  private_preview: { label: 'Private preview', tone: 'info' },
  planned: { label: 'Planned', tone: 'neutral' },
  deprecated: { label: 'Deprecated', tone: 'warn' },
  sunset: { label: 'No longer offered', tone: 'bad' },
};

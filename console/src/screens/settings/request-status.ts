import type { ConnectorRequestStatus } from '../../gql/graphql.js';
import type { StatusView } from '../../ui/tone.js';

interface RequestStatusView extends StatusView {
  readonly next?: ConnectorRequestStatus;
  /** Label of the action that leads to the next status. */
  readonly action?: string;
}

/** In the order of the columns of the board. */
export const REQUEST_STATUSES: Readonly<Record<ConnectorRequestStatus, RequestStatusView>> = {
  pending: { label: 'Pending', tone: 'info', next: 'under_review', action: 'Review' },
  under_review: { label: 'Under review', tone: 'info', next: 'accepted', action: 'Accept' },
  accepted: { label: 'Accepted', tone: 'warn', next: 'in_progress', action: 'Start' },
  in_progress: { label: 'In progress', tone: 'warn', next: 'completed', action: 'Complete' },
  completed: { label: 'Completed', tone: 'good' },
  declined: { label: 'Declined', tone: 'neutral' },
  duplicate: { label: 'Duplicate', tone: 'neutral' },
};

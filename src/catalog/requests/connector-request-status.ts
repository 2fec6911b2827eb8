import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ConnectorRequestStatus = wireEnum('ConnectorRequestStatus', 'How far a request for a connector is.', {
  pending: 'Not looked at yet.',
  under_review: 'Being looked at.',
  accepted: 'Will be built.',
  in_progress: 'Being built.',
  completed: 'The connector is there.',
  declined: 'Will not be built.',
  duplicate: 'There is another request for the same.',
});
export type ConnectorRequestStatus = keyof typeof ConnectorRequestStatus;

/** Which moves there are. A request without one is closed. */
export const STATUS_TRANSITIONS: Record<ConnectorRequestStatus, readonly ConnectorRequestStatus[]> = {
  pending: ['under_review', 'declined', 'duplicate'],
  under_review: ['accepted', 'declined', 'duplicate'],
  accepted: ['in_progress', 'declined', 'duplicate'],
  in_progress: ['completed', 'declined', 'duplicate'],
  completed: [],
  declined: [],
  duplicate: [],
};

export const OPEN_STATUSES = (Object.keys(STATUS_TRANSITIONS) as ConnectorRequestStatus[]).filter(
  (status) => STATUS_TRANSITIONS[status].length > 0,
);

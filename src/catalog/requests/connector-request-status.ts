import { wireEnum } from '../../kernel/entities/wire-enum.js';

export const ConnectorRequestStatus = wireEnum('ConnectorRequestStatus', 'Status of a connector request.', {
  pending: 'The request waits for review.',
  under_review: 'The request is under review.',
  accepted: 'The request was accepted for development.',
  in_progress: 'The connector is in development.',
  completed: 'The connector is available.',
  declined: 'The connector will not be built.',
  duplicate: 'Another request asks for the same connector.',
});
export type ConnectorRequestStatus = keyof typeof ConnectorRequestStatus;

/** A status without transitions is final. */
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

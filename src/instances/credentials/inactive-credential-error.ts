import { AppError } from '../../kernel/errors.js';

/** The credential record was replaced, does not exist, or belongs to a deleted connection. */
export class InactiveCredentialError extends AppError {
  constructor(reason: 'superseded' | 'unknown') {
    if (reason === 'superseded')
      super('CONFLICT', 'Another credential record has replaced this one. Read the connection and try again.');
    else super('NOT_FOUND', 'The credential record does not exist, or its connection was deleted.');
  }
}

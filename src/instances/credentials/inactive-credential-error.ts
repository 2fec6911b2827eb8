import { AppError } from '../../kernel/errors.js';

/** A credential record that is not, or no longer, in use: there is nothing to test or to speak with. */
export class InactiveCredentialError extends AppError {
  constructor(how: 'superseded' | 'unknown') {
    if (how === 'superseded') super('CONFLICT', 'Another credential record has taken the place of this one.');
    else super('NOT_FOUND', 'There is no credential record of that id, or its connection was deleted.');
  }
}

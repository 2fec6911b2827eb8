import { SYNC_FAILURE_ADVICE } from '../../instances/sync-failure-advice.js';
import { AppError } from '../../kernel/errors.js';
import type { TapTrialResult } from '../reading/tap-trial.js';
import { toTapReadError } from '../responses/to-tap-read-error.js';

type FailureFields = Pick<TapTrialResult, 'errorClass' | 'errorMessage' | 'responsible' | 'nextStep'>;

/** Rethrows an `AppError`, because it concerns the request of the client and not the source. */
export function failureFieldsOf(error: unknown): FailureFields {
  if (error instanceof AppError) throw error;
  const { errorClass, message } = toTapReadError(error);
  return { errorClass, errorMessage: message, ...SYNC_FAILURE_ADVICE[errorClass] };
}

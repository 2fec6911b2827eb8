import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { SyncErrorClass } from '../../catalog/model/sync-error-class.js';
import { SYNC_FAILURE_ADVICE, type SyncFailureAdvice, SyncResponsible } from '../../instances/sync-failure-advice.js';
import { SyncJob } from '../../instances/sync-job.js';
import type { Lean } from '../../kernel/reading/reader.js';
import { TapRun } from '../tap-run.js';

type Failed = { readonly errorClass?: SyncErrorClass | null };
type FailedRun = Failed & Pick<Lean<TapRun>, 'heldUntil'>;

const HELD_ROWS_ADVICE: SyncFailureAdvice = {
  responsible: 'customer',
  nextStep:
    'Check whether the missing records were deleted at the source. If so, accept the held rows with decideHeldRows (POST /api/tenant-connector-taps/{id}/held-rows), where id is the id of the tap. Otherwise discard them, correct the source, then start a sync.',
};

const RESPONSIBLE = { nullable: true, description: 'Who must act. Null if `errorClass` is null.' };
const NEXT_STEP = {
  nullable: true,
  description: 'Recommended action after the failure, as a sentence for users. Null if `errorClass` is null.',
};

@Resolver(() => TapRun)
export class TapRunAdviceResolver {
  @FieldResolver(() => SyncResponsible, RESPONSIBLE)
  responsible(@Root() run: FailedRun): SyncFailureAdvice['responsible'] | undefined {
    return adviceOfRun(run)?.responsible;
  }

  @FieldResolver(() => String, NEXT_STEP)
  nextStep(@Root() run: FailedRun): string | undefined {
    return adviceOfRun(run)?.nextStep;
  }
}

@Resolver(() => SyncJob)
export class SyncJobAdviceResolver {
  @FieldResolver(() => SyncResponsible, RESPONSIBLE)
  responsible(@Root() job: Failed): SyncFailureAdvice['responsible'] | undefined {
    return adviceOf(job)?.responsible;
  }

  @FieldResolver(() => String, NEXT_STEP)
  nextStep(@Root() job: Failed): string | undefined {
    return adviceOf(job)?.nextStep;
  }
}

/** Until `heldUntil`, the advice is to accept or discard the held rows. */
export function adviceOfRun(run: FailedRun, now = Date.now()): SyncFailureAdvice | undefined {
  const isHeld = run.heldUntil != null && new Date(run.heldUntil).getTime() > now;
  return isHeld ? HELD_ROWS_ADVICE : adviceOf(run);
}

function adviceOf({ errorClass }: Failed): SyncFailureAdvice | undefined {
  return errorClass ? SYNC_FAILURE_ADVICE[errorClass] : undefined;
}

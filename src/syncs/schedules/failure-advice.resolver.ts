import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { SyncErrorClass } from '../../catalog/model/sync-error-class.js';
import { SYNC_FAILURE_ADVICE, type SyncFailureAdvice, SyncResponsible } from '../../instances/sync-failure-advice.js';
import { SyncJob } from '../../instances/sync-job.js';
import { TapRun } from '../tap-run.js';

type Failed = { readonly errorClass?: SyncErrorClass | null };

const RESPONSIBLE = { nullable: true, description: 'Who must act, by `errorClass`; null without a failure.' };
const NEXT_STEP = {
  nullable: true,
  description: 'The next step after the failure, as a sentence for users; null without a failure.',
};

@Resolver(() => TapRun)
export class TapRunAdviceResolver {
  @FieldResolver(() => SyncResponsible, RESPONSIBLE)
  responsible(@Root() run: Failed): SyncFailureAdvice['responsible'] | undefined {
    return adviceOf(run)?.responsible;
  }

  @FieldResolver(() => String, NEXT_STEP)
  nextStep(@Root() run: Failed): string | undefined {
    return adviceOf(run)?.nextStep;
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

function adviceOf({ errorClass }: Failed): SyncFailureAdvice | undefined {
  return errorClass ? SYNC_FAILURE_ADVICE[errorClass] : undefined;
}

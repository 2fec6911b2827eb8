import { Args, Ctx, Mutation, Resolver } from 'type-graphql';
import { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { VENDOR_LIMIT_ERROR } from '../../instances/credentials/vendor-request-limiter.js';
import { readInstance } from '../../instances/find-instance.js';
import { TenantConnectorInstance } from '../../instances/tenant-connector-instance.js';
import { AppError } from '../../kernel/errors.js';
import { parseExactJson } from '../../tables/queries/parse-exact-json.js';
import { Access } from '../../tenancy/access.js';
import { TapTrialResult } from '../reading/tap-trial.js';
import { type TapTrial, tryTap } from '../reading/try-tap.js';
import { failureFieldsOf } from './failure-fields.js';
import { TryTapArgs } from './sync.inputs.js';
import type { SyncContext } from './sync-context.js';

const MAX_RECORDS = 50;
const TIMEOUT_MS = 60_000;

@Resolver()
export class TapTrialResolver {
  @Access('syncs:write')
  @Mutation(() => TapTrialResult, {
    description: `Reads the first page of a tap from the vendor and stores nothing. For a tap with a parent, starts with the first page of the parent. If a request to the vendor fails, the result describes the failure. Errors: NOT_FOUND if the connection or the tap does not exist. ${VENDOR_LIMIT_ERROR}`,
  })
  async tryTap(
    @Args(() => TryTapArgs) { instanceId, tap, objectName }: TryTapArgs,
    @Ctx() context: SyncContext,
  ): Promise<TapTrialResult> {
    const { read, caller, requestId, taps } = context;
    const { connector } = await readInstance(read, instanceId);
    const definition = (await read.many(ConnectorTap, 'connector', connector)).find(({ name }) => name === tap);
    if (!definition) throw new AppError('NOT_FOUND', 'The connector has no tap with this name.');
    await context.countVendorRequest();
    await recordTrial(context, instanceId, { tap, ...(objectName && { objectName }) });
    const requests: TapTrialResult['requests'] = [];
    try {
      const source = await taps.open({ tenantId: caller.tenantId, instanceId, tap: definition, requestId });
      const onRequest = (trace: (typeof requests)[number]): void => void requests.push(trace);
      const trial = await tryTap(
        { ...source, onRequest },
        tap,
        AbortSignal.timeout(TIMEOUT_MS),
        objectName ?? undefined,
      );
      return { requests, ...resultOf(trial) };
    } catch (error) {
      return { requests, records: [], recordCount: 0, columns: [], ...failureFieldsOf(error) };
    }
  }
}

function resultOf({ records, recordCount, columns, nextRequest }: TapTrial): Omit<TapTrialResult, 'requests'> {
  return {
    records: records.slice(0, MAX_RECORDS).map((line) => parseExactJson(line) as Record<string, unknown>),
    recordCount,
    columns: [...columns],
    ...(nextRequest && { nextRequest }),
  };
}

/** The audit entry is necessary, because the response contains records of the vendor. */
function recordTrial({ write }: SyncContext, id: string, details: { tap: string; objectName?: string }): Promise<void> {
  return write(async (tx) => {
    tx.recordAudit('tap.tried', await tx.em.findOneOrFail(TenantConnectorInstance, { id }), details);
  });
}

import type { TestService } from '../service/service.js';
import type { IsolationOutcome } from './isolation-cases.js';

export interface RejectedCaller {
  readonly caller: string;
  readonly outcome: IsolationOutcome;
  readonly headers: Record<string, string>;
}

/** Callers that the workspace `foreign` rejects, with the expected error. `apiKey` belongs to a different workspace. */
export async function rejectedCallers(
  service: TestService,
  foreign: string,
  apiKey: string,
): Promise<RejectedCaller[]> {
  const authorization = `Bearer ${await service.tokenOf('admin')}`;
  const { host } = new URL(service.url.replace('127.0.0.1', 'localhost'));
  const forbidden = (caller: string, headers: Record<string, string>): RejectedCaller => ({
    ...{ caller, outcome: 'WORKSPACE_FORBIDDEN', headers },
  });
  return [
    forbidden("another's X-Tenant", { authorization, 'x-tenant': foreign }),
    forbidden('an unknown X-Tenant', { authorization, 'x-tenant': 'never-existed' }),
    forbidden("another's subdomain", { authorization, host: `${foreign}.${host}` }),
    forbidden('an unknown subdomain', { authorization, host: `never-existed.${host}` }),
    forbidden("our API key at another's X-Tenant", { authorization: `Bearer ${apiKey}`, 'x-tenant': foreign }),
    { caller: 'no workspace', outcome: 'WORKSPACE_REQUIRED', headers: { authorization } },
    { caller: 'no token', outcome: 'UNAUTHENTICATED', headers: { 'x-tenant': foreign } },
  ];
}

/**
 * Returns the first caller for each error code, and one of the other callers, chosen by `nth`. A test need not send
 * each request as each caller, because the service rejects callers before it resolves a field.
 */
export function sampleCallers(callers: readonly RejectedCaller[], nth: number): readonly RejectedCaller[] {
  const outcomes = callers.map(({ outcome }) => outcome);
  const [firsts, others] = [true, false].map((isFirst) =>
    callers.filter(({ outcome }, at) => (outcomes.indexOf(outcome) === at) === isFirst),
  ) as [RejectedCaller[], RejectedCaller[]];
  return [...firsts, others[nth % others.length] as RejectedCaller];
}

import type { StrategyDefinition } from '../../../src/catalog/definitions/definition.js';
import type { OpenApiOperation } from '../../catalog-compare/described-operation.js';
import { FAILURES } from '../draft.js';

/** Paths that return the account of the credential, the most specific first. */
const ACCOUNT_PATHS = [/\/me$/, /\/(whoami|self|current|current_user|currentuser)$/, /\/(user|account|profile|ping)$/];

/** The credential test requests the account, or the first list if no operation returns an account. */
export function withVerification(
  strategies: readonly StrategyDefinition[],
  operations: readonly OpenApiOperation[],
  firstEndpoint = '/',
): StrategyDefinition[] {
  const paths = operations
    .filter(({ method, path, parameters }) => method === 'GET' && !path.includes('{') && !parameters.some(isRequired))
    .map(({ path }) => path);
  const url = ACCOUNT_PATHS.flatMap((pattern) => paths.filter((path) => pattern.test(path)))[0] ?? firstEndpoint;
  return strategies.map((strategy) => ({
    ...strategy,
    verification: { url, failures: [...FAILURES] },
    unverified: [...(strategy.unverified ?? []), 'verification'],
  }));
}

function isRequired({ required }: Readonly<Record<string, unknown>>): boolean {
  return required === true;
}

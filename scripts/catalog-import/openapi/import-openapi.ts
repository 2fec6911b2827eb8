import type {
  StrategyDefinition,
  TapDefinition,
  VendorDefinition,
} from '../../../src/catalog/definitions/definition.js';
import { openApiOperations } from '../../catalog-compare/openapi-operations.js';
import { draftVendor, sourceOf } from '../draft.js';
import { localReferences } from '../local-references.js';
import type { Notes } from '../notes.js';
import { isNode, type SourceFile } from '../source-file.js';
import { baseAddress } from './base-address.js';
import { selectReadable, traversalOf, withParentFields } from './child-taps.js';
import { listOperations } from './list-operations.js';
import { placeholderStrategy, readStrategies } from './strategies.js';
import { draftTap } from './taps.js';
import { withVerification } from './verification.js';

export function importOpenApi(
  { name: file, root }: SourceFile,
  slug: string,
  name: string,
  notes: Notes,
): VendorDefinition {
  const { resolve, external } = localReferences(root);
  const operations = openApiOperations(root, resolve, '');
  const { lists, edges } = selectReadable(listOperations(operations, notes), notes);
  const taps = withParentFields(
    lists.map((list) => draftTap(list, file, notes)),
    edges,
  );
  const strategies = readStrategies(root, resolve, file, notes);
  const traversal = traversalOf(taps, edges);
  const { info } = root;
  const version = isNode(info) && typeof info.version === 'string' ? info.version : undefined;
  if (taps.length === 0) notes.todo('connector', '#/paths', 'add taps; no GET operation returns a list of records');
  if (external.size > 0)
    notes.todo(
      'connector',
      '#',
      `the import does not read other files (${external.size} references, such as ${[...external][0]})`,
    );
  return draftVendor(slug, name, {
    ...(version && { apiVersion: version }),
    ...baseAddress(root, notes),
    supportedAuthStrategies: withVerification(
      withScopes(strategies.length > 0 ? strategies : [placeholderStrategy(notes)], taps),
      operations,
      taps[0]?.transportOptions[0]?.restConfig?.endpoint,
    ),
    taps,
    ...(traversal && { traversal }),
    sources: sourceOf(file),
  });
}

/** If the taps require scopes, sets these scopes as the default scopes of the OAuth strategies. */
function withScopes(strategies: readonly StrategyDefinition[], taps: readonly TapDefinition[]): StrategyDefinition[] {
  const scopes = [...new Set(taps.flatMap(({ sync }) => sync.scopes ?? []))];
  return strategies.map((strategy) =>
    strategy.oauth2Config && scopes.length > 0
      ? { ...strategy, defaultScopes: scopes, unverified: [...(strategy.unverified ?? []), 'defaultScopes'] }
      : strategy,
  );
}

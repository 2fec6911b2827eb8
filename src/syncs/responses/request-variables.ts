import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { SliceScope } from '../tap-reading.js';

type RequestTap = Pick<ConnectorTap, 'transportOptions' | 'sync' | 'perParentAuth'>;

/**
 * The variables identify the partition, so they must not include fields of the parent that may change, such as its
 * name.
 */
export function withRequestVariables(
  { variables, parentFields }: SliceScope,
  { transportOptions, sync, perParentAuth }: RequestTap,
  keyVariable: string,
): SliceScope {
  const templates = JSON.stringify([transportOptions, sync]);
  const isUsed = (name: string) =>
    name === keyVariable || name === perParentAuth?.impersonateField || templates.includes(`{${name}}`);
  return {
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => isUsed(name))),
    parentFields,
  };
}

import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { SliceScope } from '../tap-reading.js';

type RequestTap = Pick<ConnectorTap, 'transportOptions' | 'sync' | 'perParentAuth'>;

/**
 * Keeps only the variables that requests use. The variables identify the partition. A change of another field of the
 * parent record, such as its name, must not start a new partition.
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

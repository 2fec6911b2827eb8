import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import type { SliceScope } from '../tap-reading.js';

type RequestTap = Pick<ConnectorTap, 'transportOptions' | 'sync' | 'perParentAuth'>;

/**
 * Removes all variables from the scope, except `keyVariable`, the variable of the impersonated user, and the variables
 * that the requests of the tap contain. The variables identify the partition of the scope. Other fields of the parent,
 * such as its name, may change while the partition remains the same.
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

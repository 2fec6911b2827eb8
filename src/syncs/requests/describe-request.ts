import type { Connector } from '../../catalog/model/connector.js';
import type { ConnectorTap } from '../../catalog/model/connector-tap.js';
import { evaluateJmesPath } from '../../kernel/formats/jmespath.js';
import type { Lean } from '../../kernel/reading/reader.js';
import type { SourceCallRequest } from '../../sources/calls/call-source.js';
import { TapReadError } from '../tap-read-error.js';

type Described = Pick<Lean<Connector>, 'fieldDiscovery'>;
type Object = Pick<Lean<ConnectorTap>, 'objectName'>;

/** Matches names that cannot change the meaning of a query. */
const FIELD_NAME = /^[\p{L}_][\p{L}\p{N}_.]*$/u;

/** Returns undefined if the connector does not discover fields, or if the tap has no object. */
export function buildDescribeRequest({ fieldDiscovery }: Described, tap: Object): SourceCallRequest | undefined {
  const { endpointTemplate, objectNameField = 'objectName' } = fieldDiscovery ?? {};
  const objectName = (tap as Record<string, unknown>)[objectNameField];
  if (!endpointTemplate || typeof objectName !== 'string') return undefined;
  return { method: 'GET', path: endpointTemplate, variables: { [objectNameField]: { text: objectName } } };
}

/** `document` is the response of the describe endpoint. Throws `TapReadError`. */
export function readFieldNames({ fieldDiscovery }: Described, document: unknown): string[] {
  const { fieldArrayPath = '@', fieldNameKey = 'name', fieldTypeKey, ...rest } = fieldDiscovery ?? {};
  const { excludeFieldTypes = [], includeCondition } = rest;
  const fields = evaluateJmesPath(fieldArrayPath, document);
  const included = (Array.isArray(fields) ? fields : []).filter((field: Record<string, unknown>) => {
    if (fieldTypeKey && excludeFieldTypes.includes(`${field[fieldTypeKey]}`)) return false;
    return !includeCondition?.key || (field[includeCondition.key] ?? undefined) === includeCondition.value;
  });
  const names = included.map((field: Record<string, unknown>) => field[fieldNameKey]);
  if (names.length > 0 && names.every(isFieldName)) return names;
  throw new TapReadError('contract', 'fail_tap', 'The describe endpoint returned no valid list of field names.');
}

function isFieldName(name: unknown): name is string {
  return typeof name === 'string' && FIELD_NAME.test(name);
}

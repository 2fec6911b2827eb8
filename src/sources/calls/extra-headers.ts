import { fillTemplate, templateVariables } from '../../catalog/template-variables.js';
import { setHeader } from '../auth-method.js';
import { optionalField } from '../config-field.js';
import type { Connection } from '../connection.js';
import type { SourceRequest } from '../source-request.js';

/**
 * Replaces `{name}` with the value of a config field, which may be secret. Omits a header if one of its fields has no
 * value. If a value is not valid in a header, throws a `ConnectionConfigError` that does not contain the value.
 */
export function addExtraHeaders(request: SourceRequest, connection: Connection): void {
  for (const [name, value] of Object.entries(connection.strategy.extraHeaders ?? {})) {
    const template = String(value);
    const fields = templateVariables(template);
    const values = new Map(fields.map((field) => [field, optionalField(connection, field)]));
    if ([...values.values()].includes(undefined)) continue;
    setHeader(
      request,
      name,
      fillTemplate(template, (field) => values.get(field) ?? ''),
      fields[0] ?? name,
    );
  }
}

import { setHeader } from '../auth-method.js';
import { requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import type { SourceRequest } from '../source-request.js';

/** Datadog requires two keys: an API key of the organization and an application key of a user. */
export function signDatadogRequest(request: SourceRequest, connection: Connection): void {
  const header = connection.strategy.apiKeyConfig?.headerName ?? 'DD-API-KEY';
  setHeader(request, header, requiredField(connection, 'apiKey'), 'apiKey');
  setHeader(request, 'DD-APPLICATION-KEY', requiredField(connection, 'applicationKey'), 'applicationKey');
}

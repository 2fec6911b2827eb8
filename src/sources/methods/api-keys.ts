import { setHeader } from '../auth-method.js';
import { onlySecretField, requiredField } from '../config-field.js';
import type { Connection } from '../connection.js';
import type { SourceRequest } from '../source-request.js';

export function keyFieldOf({ strategy }: Connection): string {
  return strategy.apiKeyConfig?.keyField ?? onlySecretField({ strategy });
}

export function signWithAdditionalKeys(request: SourceRequest, connection: Connection): void {
  for (const { field, headerName, queryParam } of connection.strategy.apiKeyConfig?.additionalKeys ?? []) {
    const value = requiredField(connection, field);
    if (headerName) setHeader(request, headerName, value, field);
    else if (queryParam) request.url.searchParams.set(queryParam, value);
  }
}

import type { TransportOption } from '../../catalog/model/transport-option.js';
import { templateVariables } from '../../catalog/template-variables.js';
import type { Connection } from '../connection.js';
import type { QueryParameters } from '../source-address.js';
import type { SourceCallRequest } from './call-source.js';

/**
 * Without `verification.url`, the request reads the first root tap. Without a root tap, it reads the first tap with a
 * transport option. Returns undefined if the tap is missing or has no transport option. A REST request sets the page
 * size to 1 if the tap has a parameter for the page size.
 */
export function buildVerificationRequest(connection: Connection): SourceCallRequest | undefined {
  const { url, method, headers, body } = connection.strategy.verification ?? {};
  if (url) return { method: method ?? 'GET', path: url, headers: headers ?? {}, json: body ?? undefined };
  const option = firstTransport(connection);
  return option && tapRequest(option);
}

function firstTransport({ connector, taps }: Connection): TransportOption | undefined {
  const [root] = connector.traversal?.rootTaps ?? [];
  const tap = taps.find(({ name }) => name === root) ?? taps.find(({ transportOptions }) => transportOptions?.length);
  return tap?.transportOptions?.toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0))[0];
}

function tapRequest({ restConfig, graphqlConfig, pagination }: TransportOption): SourceCallRequest {
  if (graphqlConfig) {
    const { endpoint, query, operationName, variables } = graphqlConfig;
    return { method: 'POST', path: endpoint ?? '', json: { query, operationName, variables } };
  }
  const { endpoint, method, headers, queryParams, requestBody } = restConfig ?? {};
  const limit = pagination?.offset?.limitParam ?? pagination?.pageNumber?.pageSizeParam;
  return {
    method: method ?? 'GET',
    path: endpoint ?? '',
    headers: headers ?? {},
    query: { ...plainValues(queryParams ?? {}), ...(limit && { [limit]: 1 }) },
    json: requestBody ?? undefined,
  };
}

/** Omits strings with variables, for which a credential test has no values. Also omits lists and objects. */
function plainValues(parameters: Readonly<Record<string, unknown>>): QueryParameters {
  const plain = Object.entries(parameters).filter(([, value]) => {
    if (typeof value === 'string') return templateVariables(value).length === 0;
    return typeof value === 'number' || typeof value === 'boolean';
  });
  return Object.fromEntries(plain) as QueryParameters;
}

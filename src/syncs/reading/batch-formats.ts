import type { VendorRecord } from '../tap-page.js';

export interface SubRequest {
  readonly id: string;
  readonly method: string;
  /** Relative to the base URL. */
  readonly path: string;
  /** Relative to the origin. */
  readonly absolutePath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface SubResponse {
  readonly status: unknown;
  readonly headers: unknown;
  readonly body: unknown;
}

interface BatchFormat {
  readonly encode: (requests: readonly SubRequest[]) => object;
  /** Returns the responses by request id. */
  readonly decode: (document: VendorRecord) => ReadonlyMap<unknown, SubResponse>;
}

export const BATCH_FORMATS: Readonly<Record<string, BatchFormat>> = {
  /** JSON batching of Microsoft Graph (https://learn.microsoft.com/graph/json-batching). */
  json: {
    encode: (requests) => ({
      requests: requests.map(({ id, method, path, headers, body }) => ({
        ...{ id, method, url: path },
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(body !== undefined && { body }),
      })),
    }),
    decode: ({ responses }) =>
      new Map(listOf(responses).map(({ id, status, headers, body }) => [id, { status, headers, body }])),
  },
  /** Composite resource of Salesforce (https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta). */
  salesforce_composite: {
    encode: (requests) => ({
      compositeRequest: requests.map(({ id, method, absolutePath, headers, body }) => ({
        ...{ referenceId: `r${id}`, method, url: absolutePath },
        ...(Object.keys(headers).length > 0 && { httpHeaders: headers }),
        ...(body !== undefined && { body }),
      })),
    }),
    decode: ({ compositeResponse }) =>
      new Map(
        listOf(compositeResponse).map(({ referenceId, httpStatusCode, httpHeaders, body }) => [
          `${referenceId}`.slice(1),
          { status: httpStatusCode, headers: httpHeaders, body },
        ]),
      ),
  },
};

function listOf(value: unknown): readonly VendorRecord[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

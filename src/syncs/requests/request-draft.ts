import { withValueAtPath } from '../../kernel/formats/json-path.js';

/** A request of a tap. The body is not encoded yet. */
export interface RequestDraft {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Whether parameters are variables of a GraphQL query instead of query parameters. */
  readonly isGraphql: boolean;
}

export function hasBody({ method }: Pick<RequestDraft, 'method'>): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

export function withParameter(draft: RequestDraft, name: string, value: unknown): RequestDraft {
  if (!draft.isGraphql) return { ...draft, query: { ...draft.query, [name]: value } };
  const variables = { ...(draft.body as { variables?: object }).variables, [name]: value };
  return { ...draft, body: { ...(draft.body as object), variables } };
}

export function withBodyValue(draft: RequestDraft, path: string, value: unknown): RequestDraft {
  return { ...draft, body: withValueAtPath(draft.body, path, value) };
}

/** `url` is a URL or query string from a response, and already contains all parameters. */
export function atUrl(draft: RequestDraft, url: string): RequestDraft {
  if (!url.startsWith('?')) return { ...draft, path: url, query: {} };
  const parameters = new URLSearchParams(url);
  return { ...draft, query: Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)])) };
}

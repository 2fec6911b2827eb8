import Router from '@koa/router';
import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLField, GraphQLSchema } from 'graphql';
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import type { ErrorCode } from '../src/kernel/errors.js';
import { isNotModified, responsePageOf, sendJson, sendText, wrapInEnvelope } from './envelope.js';
import { FacadeError } from './errors.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { compileJsonWriter, type JsonValues } from './json-writer.js';
import { type AdmitCached, KnownRequests } from './known-requests.js';
import { rejectOtherMethods } from './method-not-allowed.js';
import { type Operation, readOperations } from './operations.js';
import { cacheKeysOf, readCached } from './read-cached.js';
import { readVariables } from './read-variables.js';
import { RepresentationCache } from './representation-cache.js';
import { routes } from './routes/index.js';
import { type Route, successStatus } from './routes/route.js';
import { rootFieldDefinitionOf, rootFieldOf } from './selection.js';
import { sendCached } from './send-cached.js';
import { readUpload, type UploadHandlers } from './streams/read-upload.js';

type Variables = Record<string, unknown>;
type Execute<Request> = (request: Request, variables: Variables) => Promise<ExecutionResult>;

interface IdempotentRequest {
  readonly key: string;
  readonly operation: string;
  readonly variables: Variables;
  /** Whether `execute` calls third parties. If so, no transaction may be open while `execute` runs. */
  readonly callsOut: boolean;
  /** Seconds for which the request locks `key`. Undefined for the default. */
  readonly leaseSeconds?: number | undefined;
  readonly takesSecret: boolean;
}

/**
 * Options of the host, which is the service that mounts the facade. `Request` is the host's own type for an admitted
 * request. The facade does not read such a request, but passes it to the functions of the host.
 */
export interface FacadeOptions<Request> {
  readonly schema: GraphQLSchema;
  /**
   * Compiles an operation. Errors in the results have a known code in `extensions.code`, and may have
   * `extensions.retryAfter`.
   */
  readonly prepare: (document: DocumentNode) => Execute<Request>;
  readonly json: JsonValues;
  /** Admits a request to a public route. Throws to reject the request. */
  readonly admitAnonymous: (ctx: Context) => Promise<Request>;
  readonly admitCached: AdmitCached;
  /** Admits a request to a route that is not public. Throws if the caller is not authenticated. */
  readonly admitCaller: (ctx: Context) => Promise<Request>;
  /**
   * Throws if the caller may not use the root field. Called before the facade reads the parameters and the body of the
   * request.
   */
  readonly authorize: (request: Request, field: GraphQLField<unknown, unknown>) => void;
  /**
   * If a caller sends several requests with the same key, calls `execute` once and returns the same text for all of
   * them.
   */
  readonly executeOnce: (
    request: Request,
    repeatable: IdempotentRequest,
    execute: (request: Request) => Promise<string>,
  ) => Promise<{ text: string; isReplay: boolean }>;
  readonly uploads: UploadHandlers<Request>;
  /** Base URL of links in responses, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Returns the revision of the public catalog. If undefined, the facade caches no responses and sends no ETag. */
  readonly publicRevision?: () => Promise<string>;
}

export interface RestFacade {
  /** Sends cached responses to known public requests. Must run before all middleware that sets headers. */
  readonly cached: Middleware;
  readonly routes: Middleware;
}

/** Requires `ctx.state.requestId`, a UUID. Throws `FacadeError` to reject a request. */
export function createRestFacade<Request>(options: FacadeOptions<Request>): RestFacade {
  const operations = readOperations(options.schema);
  const cache = options.publicRevision && new RepresentationCache(options.publicRevision);
  const known = new KnownRequests(options.admitCached, cache);
  const router = new Router({ sensitive: true, strict: true });
  for (const route of routes) {
    const operation = operationOf(route.operation);
    const ofVersion = route.version && operationOf(route.version.operation);
    const handle = route.public
      ? publicHandler(route, operation, options, known, cache)
      : callerHandler(route, operation, options, ofVersion);
    router[route.method](route.path.replace(/\{(\w+)\}/g, ':$1'), handle);
  }
  return { cached: known.answer, routes: compose([router.routes() as Middleware, rejectOtherMethods(router)]) };

  function operationOf(name: string): Operation {
    const operation = operations.get(name);
    if (!operation) throw new Error(`rest-facade/routes: there is no operation ${name}`);
    return operation;
  }
}

function publicHandler<Request>(
  route: Route,
  operation: Operation,
  options: FacadeOptions<Request>,
  known: KnownRequests,
  cache: RepresentationCache | undefined,
): Middleware {
  const ask = createExecutor(route, operation, options);
  return async (ctx) => {
    const request = await options.admitAnonymous(ctx);
    const variables = await readVariables(ctx, route, operation);
    const make = async (): Promise<[before: string, after: string]> => {
      const { text, page } = await ask(request, variables);
      return wrapInEnvelope(text(), page, () => pageAddress(options, route, variables));
    };
    if (!cache) {
      ctx.set('Cache-Control', 'no-store');
      return sendJson(ctx, await make(), ctx.state.requestId as string);
    }
    const keys = cacheKeysOf(route.operation, variables);
    const found = await readCached(ctx, cache, keys, async () => {
      const [before, after] = await make();
      return { before: Buffer.from(before), after: Buffer.from(after) };
    });
    sendCached(ctx, found);
    known.add(ctx, keys);
  };
}

function callerHandler<Request>(
  route: Route,
  operation: Operation,
  options: FacadeOptions<Request>,
  ofVersion: Operation | undefined,
): Middleware {
  const field = rootFieldDefinitionOf(options.schema, operation);
  const ask = createExecutor(route, operation, options);
  const askVersion = ofVersion && createExecutor(route, ofVersion, options);
  return async (ctx) => {
    // A response may contain a secret together with input of the caller. The length of a compressed response would then
    // reveal the secret (BREACH).
    ctx.set('Cache-Control', route.showsSecret ? 'no-store, no-transform' : 'no-store');
    const request = await options.admitCaller(ctx);
    options.authorize(request, field);
    const key = readIdempotencyKey(ctx, route);
    const isStill = (version: string | undefined): boolean =>
      version !== undefined && isNotModified(ctx, `"${version}"`, 'private, no-cache');
    const reply = async (variables: Variables): Promise<() => void> => {
      if (askVersion && ctx.get('If-None-Match') && isStill((await askVersion(request, variables)).version))
        return () => undefined;
      const { text, page, version } =
        key === undefined ? await ask(request, variables) : await askOnce(ctx, request, key, variables);
      if (isStill(version)) return () => undefined;
      if (route.mediaType) return () => sendText(ctx, text(), route.mediaType as string);
      const enveloped = wrapInEnvelope(text(), page, () => pageAddress(options, route, variables));
      return () => {
        ctx.status = successStatus(route);
        sendJson(ctx, enveloped, ctx.state.requestId as string);
      };
    };
    const sendReply = route.upload
      ? await readUpload(ctx, operation, request, { ...options.uploads, mayReplay: key !== undefined }, reply)
      : await reply(await readVariables(ctx, route, operation));
    sendReply();
  };

  async function askOnce(ctx: Context, request: Request, key: string, variables: Variables): Promise<OperationResult> {
    const { operation, callsOut = false, leaseSeconds, takesSecret = false } = route;
    const repeatable = { key, operation, variables, callsOut, leaseSeconds, takesSecret };
    const answer = async (inside: Request): Promise<string> => (await ask(inside, variables)).text();
    const { text, isReplay } = await options.executeOnce(request, repeatable, answer);
    if (isReplay) ctx.set('Idempotency-Replayed', 'true');
    return { text: () => text, page: undefined };
  }
}

interface OperationResult {
  /** Returns `data` as JSON, or as text of another media type. */
  readonly text: () => string;
  readonly page: ReturnType<typeof responsePageOf>;
  /** Value of the ETag, without quotes. Undefined if `route.version` is not set. */
  readonly version?: string | undefined;
}

function createExecutor<Request>(
  route: Route,
  operation: Operation,
  options: FacadeOptions<Request>,
): (request: Request, variables: Variables) => Promise<OperationResult> {
  // The first request compiles the writer and the operation, so that the service starts fast.
  let write: ((value: unknown) => string) | undefined;
  let execute: Execute<Request> | undefined;
  const compileWriter = (): ((value: unknown) => string) =>
    route.mediaType ? String : compileJsonWriter(rootFieldOf(options.schema, operation), options.json);
  return async (request, variables) => {
    execute ??= options.prepare(operation.document);
    const { data, errors } = await execute(request, variables);
    const [error] = errors ?? [];
    if (error) throw toFacadeError(error);
    const found = data?.data ?? null;
    if (route.notFoundMessage && found === null) throw new FacadeError('NOT_FOUND', route.notFoundMessage);
    const text = (): string => {
      write ??= compileWriter();
      return found === null ? 'null' : write(found);
    };
    const page = responsePageOf(route, { data: found, totalCount: data?.totalCount }, variables);
    return { text, page, version: route.version?.of(found) };
  };
}

function toFacadeError({ message, extensions }: GraphQLError): FacadeError {
  return new FacadeError(extensions.code as ErrorCode, message, extensions.retryAfter as number | undefined);
}

/** Builds the URL from the parsed variables, so that equivalent requests have equal links. */
function pageAddress<Request>({ baseUrl }: FacadeOptions<Request>, { path }: Route, variables: Variables): URL {
  const asked = new Map(Object.entries(variables).map(([name, value]) => [name, String(value)]));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = asked.get(name) as string;
    asked.delete(name);
    return encodeURIComponent(value);
  });
  const address = new URL(baseUrl() + filled);
  for (const [name, value] of asked) address.searchParams.set(name, value);
  return address;
}

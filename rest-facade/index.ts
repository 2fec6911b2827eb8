import Router from '@koa/router';
import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import type { ErrorCode } from '../src/kernel/errors.js';
import { envelope, pageOf, type Representation, send } from './envelope.js';
import { Refusal } from './errors.js';
import { refuseOtherMethods } from './methods.js';
import { type Operation, readOperations } from './operations.js';
import { RepresentationCache } from './representation-cache.js';
import { readVariables } from './request.js';
import { routes } from './routes/index.js';
import type { Route } from './routes/route.js';
import { rootOf } from './shape.js';
import { jsonWriter } from './write-json.js';

type Execute = (ctx: Context, variables: Record<string, unknown>) => Promise<ExecutionResult>;

export interface FacadeOptions {
  readonly schema: GraphQLSchema;
  /** Compiles an operation. Errors in its results carry a code of the closed list in `extensions.code`. */
  readonly prepare: (document: DocumentNode) => Execute;
  /** Base of the links that replies hold, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Names the state of the public catalog. Without it nothing is kept and no ETag is sent. */
  readonly publicRevision?: () => Promise<string>;
}

/**
 * The documented REST interface under `/api`, as Koa middleware. It expects `ctx.state.requestId`, a UUID, and throws
 * `Refusal` for what it turns away.
 */
export function createRestFacade(options: FacadeOptions): Middleware {
  const operations = readOperations(options.schema);
  const cache = options.publicRevision && new RepresentationCache(options.publicRevision);
  const router = new Router({ sensitive: true, strict: true });
  for (const route of routes) {
    const operation = operations.get(route.operation);
    if (!operation) throw new Error(`rest-facade/routes: there is no operation ${route.operation}`);
    router[route.method](route.path.replace(/\{(\w+)\}/g, ':$1'), handler(route, operation, options, cache));
  }
  return compose([router.routes() as Middleware, refuseOtherMethods(router)]);
}

function handler(
  route: Route,
  operation: Operation,
  options: FacadeOptions,
  cache: RepresentationCache | undefined,
): Middleware {
  const execute = options.prepare(operation.document);
  const write = jsonWriter(rootOf(options.schema, operation));

  return async (ctx) => {
    const variables = readVariables(ctx, ctx.params as Record<string, string>, operation);
    const make = (): Promise<Representation> => represent(ctx, variables);
    const { requestId } = ctx.state as { requestId: string };
    if (!route.public || !cache) {
      ctx.set('Cache-Control', 'no-store');
      return send(ctx, await make(), requestId);
    }
    const representation = await cache.get(JSON.stringify([route.operation, variables]), make);
    ctx.set('ETag', representation.etag);
    ctx.set('Cache-Control', 'public, no-cache');
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else send(ctx, representation, requestId);
  };

  async function represent(ctx: Context, variables: Record<string, unknown>): Promise<Representation> {
    const { data, errors } = await execute(ctx, variables);
    const [error] = errors ?? [];
    if (error) throw new Refusal(error.extensions.code as ErrorCode, error.message);
    const found = data?.data ?? null;
    if (route.missing && found === null) throw new Refusal('NOT_FOUND', route.missing);
    const text = found === null ? 'null' : write(found);
    return envelope(text, pageOf(route, found), () => pageAddress(variables));
  }

  /** Of what was understood, not of what was written: the same question has the same links. */
  function pageAddress(variables: Record<string, unknown>): URL {
    const address = new URL(options.baseUrl() + route.path);
    for (const [name, value] of Object.entries(variables)) address.searchParams.set(name, String(value));
    return address;
  }
}

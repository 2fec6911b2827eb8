import { setTimeout as sleep } from 'node:timers/promises';
import { createSourceEventStream, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { createHandler } from 'graphql-sse';
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import type { ChangeFeed } from '../../kernel/changes/change-feed.js';
import { Semaphore } from '../../kernel/concurrency/semaphore.js';
import { AppError, toAppError } from '../../kernel/errors.js';
import type { AccessContext } from '../../tenancy/access.js';
import type { ChangeEvent, LiveContext } from '../../tenancy/watch-changes.js';
import type { WorkspaceContext } from '../../tenancy/workspace-context.js';
import type { Metrics } from '../metrics.js';
import type { ReportError } from '../report-error.js';
import { EventStream } from './event-stream.js';
import { formatGraphqlError } from './format-graphql-error.js';
import { type ReadAnonymousBody, readGraphqlBody } from './graphql-body.js';
import { MAX_RESPONSE_ERRORS } from './graphql-endpoint.js';
import { type PreparedSubscription, prepareSubscription, type SubscriptionRequest } from './prepare-subscription.js';
import { StreamLimits } from './stream-limits.js';

export interface SubscriptionServices {
  readonly schema: GraphQLSchema;
  readonly changes: ChangeFeed;
  readonly metrics: Metrics;
  readonly report: ReportError;
  readonly admit: (ctx: Context) => Promise<AccessContext>;
  readonly readmit: (ctx: Context) => Promise<WorkspaceContext>;
  readonly readWithoutCaller: ReadAnonymousBody;
}

/** Applies per process. The limit leaves most database connections to requests. */
const MAX_CONCURRENT_EVENTS = 4;

/**
 * Pause between an error and the end of the stream. A graphql-sse client does not notice the end if it arrives together
 * with an event.
 */
const INTERRUPTION_PAUSE_MS = 250;

/** Ends a stream without the event `complete`, so that clients of graphql-sse subscribe again. */
class InterruptedStream extends Error {}

type Results = AsyncGenerator<ExecutionResult>;

/**
 * Sends subscriptions as server-sent events, in the distinct connections mode of the GraphQL over SSE protocol. If a
 * subscription fails, sends the error as an event.
 */
export function createSubscriptionEndpoint(services: SubscriptionServices): Middleware {
  const { metrics, admit, readWithoutCaller } = services;
  const limits = new StreamLimits();
  metrics.watchStreams(() => limits.open);
  const events = new Semaphore(MAX_CONCURRENT_EVENTS);
  const admitFirst: Middleware = async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store, no-transform');
    if (!ctx.is('application/json'))
      throw new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Send a subscription as a JSON body with the Content-Type application/json.',
      );
    ctx.state.context = await admit(ctx);
    await next();
  };
  const stream: Middleware = async (ctx) => {
    const { caller } = ctx.state.context as AccessContext;
    const leave = caller ? limits.enter(caller) : () => undefined;
    const output = new EventStream();
    ctx.res.once('close', () => output.body.destroy());
    output.closed.addEventListener('abort', leave, { once: true });
    try {
      const chunks = await printEvents(await openResults(services, ctx, output, events));
      ctx.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
      ctx.body = output.body;
      void output.write(chunks).catch((error: unknown) => services.report(error, ctx.state.requestId as string));
    } catch (error) {
      output.body.destroy();
      throw error;
    }
  };
  return compose([admitFirst, readGraphqlBody(readWithoutCaller), stream]);
}

/** graphql-sse adds a comment every 12 seconds, so that proxies do not close the connection. */
async function printEvents(results: Results): Promise<AsyncIterable<string>> {
  const handle = createHandler({ authenticate: () => null, onSubscribe: () => results });
  const headers = new Headers({ accept: 'text/event-stream', 'content-type': 'application/json' });
  const [body] = await handle({ method: 'POST', url: '', headers, body: { query: '{}' }, raw: null, context: null });
  return untilInterrupted(body as AsyncGenerator<string>);
}

async function* untilInterrupted(chunks: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof InterruptedStream)) throw error;
    await sleep(INTERRUPTION_PAUSE_MS);
  }
}

/** Returns errors of the request as a result. Throws only UNAVAILABLE. */
async function openResults(
  services: SubscriptionServices,
  ctx: Context,
  output: EventStream,
  events: Semaphore,
): Promise<Results> {
  const prepared = prepare(services, ctx);
  if ('errors' in prepared) return onlyResult(prepared);
  const { changes } = services;
  const renew = async (): Promise<LiveContext> => {
    const renewed = await events.run(() => services.readmit(ctx));
    return { ...renewed, changes, closed: output.closed, renew };
  };
  const contextValue = { ...ctx.state.context, changes, closed: output.closed, renew };
  const source = await createSourceEventStream({ ...prepared, contextValue });
  if (!(Symbol.asyncIterator in source)) return onlyResult(present(services, ctx, throwUnavailable(source)));
  return resultsOf(services, ctx, { prepared, source: source as AsyncGenerator<ChangeEvent>, output, events });
}

function prepare({ schema }: SubscriptionServices, ctx: Context): ReturnType<typeof prepareSubscription> {
  try {
    return prepareSubscription(schema, ctx.request.body as SubscriptionRequest);
  } catch (error) {
    return { errors: [formatGraphqlError(error)] };
  }
}

/** A client repeats the request after a response with status 503, but not after an event with an error. */
function throwUnavailable(result: ExecutionResult): ExecutionResult {
  const failure = result.errors?.map(toAppError).find(({ code }) => code === 'UNAVAILABLE');
  if (failure) throw failure;
  return result;
}

async function* onlyResult(result: ExecutionResult | { errors: readonly object[] }): Results {
  yield result as ExecutionResult;
}

interface Running {
  readonly prepared: PreparedSubscription;
  readonly source: AsyncGenerator<ChangeEvent>;
  readonly output: EventStream;
  readonly events: Semaphore;
}

/**
 * Yields one result per event, but no faster than the client reads. If the subscription fails, the last result is its
 * error.
 */
async function* resultsOf(
  services: SubscriptionServices,
  ctx: Context,
  { prepared, source, output, events }: Running,
): Results {
  try {
    for await (const { change, context } of source) {
      const result = await events.run(async () => execute({ ...prepared, rootValue: change, contextValue: context }));
      services.metrics.countEvent();
      yield present(services, ctx, result);
      await output.ready();
    }
  } catch (error) {
    services.report(error, ctx.state.requestId as string);
    yield { errors: [formatGraphqlError(error)] } as unknown as ExecutionResult;
    if (toAppError(error).code === 'UNAVAILABLE') throw new InterruptedStream();
  }
}

function present({ report }: SubscriptionServices, ctx: Context, { data, errors }: ExecutionResult): ExecutionResult {
  for (const error of errors ?? []) report(error, ctx.state.requestId as string);
  const shown = errors?.slice(0, MAX_RESPONSE_ERRORS).map((error) => formatGraphqlError(error, error.path));
  return { ...(shown && { errors: shown as never }), ...(data !== undefined && { data }) };
}

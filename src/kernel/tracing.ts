import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { decodeId } from './ids.js';

/** OpenTelemetry spans. Unless `startTracing` has loaded the SDK, spans take almost no time. */
const tracer = trace.getTracer('taproot');

/** Spans of other processes refer to their parent span by these ids. */
export interface SpanIds {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

let reserved: SpanIds | undefined;

/**
 * Returns the ids of the span that starts now. The id generator uses these ids or, if the result is undefined, random
 * ids.
 */
export function reservedSpanIds(): SpanIds | undefined {
  return reserved;
}

/**
 * `part` is the id of the object that the span describes, such as a tap run. `whole` is the id of the containing
 * object, such as the sync.
 */
export function spanIdsOf({ whole, part }: { readonly whole: string; readonly part: string }): SpanIds {
  const hexOf = (id: string) => (decodeId(id) as string).replaceAll('-', '');
  return { traceId: hexOf(whole), spanId: hexOf(part).slice(-16) };
}

interface SpanOptions {
  readonly attributes: Attributes;
  /** Parent span, which may belong to another process. Defaults to the active span. */
  readonly parent?: SpanIds;
}

/** The span ends with `work`, and records only the name of an error, because the message may contain secrets. */
export async function inSpan<Result>(
  name: string,
  { attributes, parent }: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, { attributes }, contextOf(parent), async (span) => {
    try {
      return await work();
    } catch (error) {
      recordFailure(span, error instanceof Error ? error.name : 'Error');
      throw error;
    } finally {
      span.end();
    }
  });
}

interface PastSpan {
  readonly attributes: Attributes;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Contains no secrets. */
  readonly failure?: string | undefined;
  /** The span is a request to another service. */
  readonly isRequest?: true;
  /** With ids, the span is a root span. Without ids, it is a child of the active span. */
  readonly ids?: SpanIds;
}

export function recordSpan(name: string, { attributes, startedAt, endedAt, failure, isRequest, ids }: PastSpan): void {
  const kind = isRequest ? SpanKind.CLIENT : SpanKind.INTERNAL;
  reserved = ids;
  const span = tracer.startSpan(name, { attributes, startTime: startedAt, kind, root: ids !== undefined });
  reserved = undefined;
  if (failure) recordFailure(span, failure);
  span.end(endedAt);
}

function recordFailure(span: Span, message: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

function contextOf(parent: SpanIds | undefined): Context {
  if (!parent) return context.active();
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}

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

/** Spans of OpenTelemetry. Without an SDK, which `startTracing` loads, all functions take almost no time. */
const tracer = trace.getTracer('taproot');

/** Ids of a span. Spans of other processes use them to refer to the span as their parent. */
export interface SpanIds {
  /** Id of the trace: 32 hexadecimal digits. */
  readonly traceId: string;
  /** Id of the span: 16 hexadecimal digits. */
  readonly spanId: string;
}

let reserved: SpanIds | undefined;

/**
 * The ids for the span that is being started. The id generator calls this function, and chooses random ids if the
 * result is undefined.
 */
export function reservedSpanIds(): SpanIds | undefined {
  return reserved;
}

/**
 * Derives the ids of a span from the id of its object (`part`, such as a tap run) and the id of the object that contains
 * it (`whole`, such as the sync).
 */
export function spanIdsOf({ whole, part }: { readonly whole: string; readonly part: string }): SpanIds {
  const hexOf = (id: string) => (decodeId(id) as string).replaceAll('-', '');
  return { traceId: hexOf(whole), spanId: hexOf(part).slice(-16) };
}

interface SpanOptions {
  readonly attributes: Attributes;
  /** Span of another process or time. Defaults to the active span. */
  readonly parent?: SpanIds;
}

/**
 * Runs `work` in a span, which ends with it. An error is recorded by its name only: its message may contain secrets.
 */
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
  /** Short text of a failure, without secrets. */
  readonly failure?: string | undefined;
  /** Whether the span is a request to another service. */
  readonly isRequest?: true;
  /** Makes the span a root span with these ids. By default, it is a child of the active span. */
  readonly ids?: SpanIds;
}

/** Records a span that has ended. */
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

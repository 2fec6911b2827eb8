import { context, trace } from '@opentelemetry/api';
import { VERSION } from './kernel/project-root.js';
import { reservedSpanIds } from './kernel/tracing.js';

export interface TracingOptions {
  readonly endpoint: string;
  /** From 0 to 1. The service sends either all spans of a sync or none. */
  readonly ratio: number;
}

/**
 * Sends spans with OTLP over HTTP as JSON. The SDK also reads `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and
 * other standard variables. The returned function sends the remaining spans and ends the tracing.
 */
export async function startTracing({ endpoint, ratio }: TracingOptions): Promise<() => Promise<void>> {
  const sdk = await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { AsyncLocalStorageContextManager } = await import('@opentelemetry/context-async-hooks');
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const named = resourceFromAttributes({ 'service.name': 'taproot', 'service.version': VERSION });
  const provider = new sdk.TracerProvider({
    sampler: new sdk.TraceIdRatioBasedSampler(ratio),
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    idGenerator: withReservedIds(new sdk.RandomIdGenerator()),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    // If the collector does not respond, the service still shuts down without an error.
    await provider.shutdown().catch(() => undefined);
    trace.disable();
    context.disable();
  };
}

type Ids = Readonly<Record<'generateTraceId' | 'generateSpanId', () => string>>;

function withReservedIds(random: Ids): Ids {
  return {
    generateTraceId: () => reservedSpanIds()?.traceId ?? random.generateTraceId(),
    generateSpanId: () => reservedSpanIds()?.spanId ?? random.generateSpanId(),
  };
}

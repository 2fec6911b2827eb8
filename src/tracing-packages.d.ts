/** Declares the used parts of the optional OpenTelemetry packages, so that Taproot compiles without these packages. */

declare module '@opentelemetry/sdk-trace' {
  import type { TracerProvider as Provider } from '@opentelemetry/api';

  interface IdGenerator {
    generateTraceId(): string;
    generateSpanId(): string;
  }
  export class RandomIdGenerator implements IdGenerator {
    generateTraceId(): string;
    generateSpanId(): string;
  }
  export class TraceIdRatioBasedSampler {
    constructor(ratio: number);
  }
  export class BatchSpanProcessor {
    constructor(options: { readonly exporter: object });
  }
  export class TracerProvider implements Provider {
    constructor(options: {
      readonly sampler: TraceIdRatioBasedSampler;
      readonly resource: object;
      readonly idGenerator: IdGenerator;
      readonly spanProcessors: readonly BatchSpanProcessor[];
    });
    getTracer: Provider['getTracer'];
    /** Sends the spans that have ended. */
    shutdown(): Promise<void>;
  }
}

declare module '@opentelemetry/exporter-trace-otlp-http' {
  export class OTLPTraceExporter {
    constructor(options: { readonly url: string });
  }
}

declare module '@opentelemetry/context-async-hooks' {
  import type { ContextManager } from '@opentelemetry/api';

  export const AsyncLocalStorageContextManager: new () => ContextManager;
}

declare module '@opentelemetry/resources' {
  interface Resource {
    merge(other: Resource): Resource;
  }
  export const envDetector: object;
  export function resourceFromAttributes(attributes: Readonly<Record<string, string>>): Resource;
  export function detectResources(options: { readonly detectors: readonly object[] }): Resource;
}

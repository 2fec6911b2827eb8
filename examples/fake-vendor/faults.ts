import { setTimeout as sleep } from 'node:timers/promises';

/** A fault that replaces responses of the vendor. */
export interface Fault {
  /** Path of the requests; all paths by default. */
  readonly path?: string;
  /** Status of the response. Without a status, the vendor responds as usual after the delay. */
  readonly status?: number;
  /** Body of the response, as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Delay before the response, in milliseconds. */
  readonly delayMs?: number;
  /** Number of requests that the fault applies to; all by default. */
  readonly times?: number;
}

/** The faults that are switched on. For each path, the latest fault applies. */
export class Faults {
  #active: { readonly fault: Fault; left: number }[] = [];
  #switchedOff = new AbortController();

  switchOn(fault: Fault): void {
    this.#active.unshift({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  /** Also ends the delays of open requests. */
  switchOff(): void {
    this.#active = [];
    this.#switchedOff.abort();
    this.#switchedOff = new AbortController();
  }

  async delay({ delayMs }: Fault): Promise<void> {
    const { signal } = this.#switchedOff;
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }

  /** The fault of the next response to this path. */
  take(path: string): Fault | undefined {
    const found = this.#active.find(({ fault }) => fault.path === undefined || fault.path === path);
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#active = this.#active.filter((active) => active !== found);
    return found.fault;
  }
}

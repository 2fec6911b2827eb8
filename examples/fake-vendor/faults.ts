import { setTimeout as sleep } from 'node:timers/promises';

/** Replaces or delays responses of the vendor. */
export interface Fault {
  /** Path of the affected requests. Defaults to all paths. */
  readonly path?: string;
  /** Status of the response. Without a status, the vendor sends its normal response after the delay. */
  readonly status?: number;
  /** Body of the response, as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Delay before the response, in milliseconds. */
  readonly delayMs?: number;
  /** Number of affected requests. Defaults to all requests. */
  readonly times?: number;
}

/** For each path, the latest fault applies. */
export class Faults {
  #active: { readonly fault: Fault; left: number }[] = [];
  #switchedOff = new AbortController();

  switchOn(fault: Fault): void {
    this.#active.unshift({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  /** Removes all faults. Also ends the delays of open requests. */
  switchOff(): void {
    this.#active = [];
    this.#switchedOff.abort();
    this.#switchedOff = new AbortController();
  }

  async delay({ delayMs }: Fault): Promise<void> {
    const { signal } = this.#switchedOff;
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
  }

  /** Returns the fault for the next request to this path, and decrements its remaining uses. */
  take(path: string): Fault | undefined {
    const found = this.#active.find(({ fault }) => fault.path === undefined || fault.path === path);
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#active = this.#active.filter((active) => active !== found);
    return found.fault;
  }
}

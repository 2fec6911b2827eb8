import diagnostics from 'node:diagnostics_channel';
import type { SyncErrorClass } from '../catalog/model/sync-error-class.js';
import type { TapRunMode } from '../catalog/model/table-mode.js';
import type { RunCounts } from './run-counts.js';
import type { TapRequestTrace } from './tap-request-trace.js';
import type { TapRunStatus } from './tap-run-status.js';
import type { TapRunStepOutcome } from './tap-run-timeline.js';

class ProcessEvent<Message extends object> {
  readonly #channel: diagnostics.Channel;

  constructor(name: string) {
    this.#channel = diagnostics.channel(`taproot.${name}`);
  }

  publish(message: Message): void {
    this.#channel.publish(message);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (message: Message) => void): () => void {
    const receive = (message: unknown): void => listener(message as Message);
    this.#channel.subscribe(receive);
    return () => this.#channel.unsubscribe(receive);
  }
}

interface StepEvent {
  readonly vendor: string;
  /** Number of slices that were not read when the step started. */
  readonly slicesLeft: number;
}

interface StepEndEvent extends StepEvent {
  readonly mode: TapRunMode;
  readonly outcome: TapRunStepOutcome;
  /** All zero after a failure. */
  readonly counts: RunCounts;
}

interface TapRunEndEvent {
  readonly status: TapRunStatus;
  readonly errorClass: SyncErrorClass | undefined;
}

export const stepStarted = new ProcessEvent<StepEvent>('sync.step.started');
export const stepEnded = new ProcessEvent<StepEndEvent>('sync.step.ended');
export const requestEnded = new ProcessEvent<{ readonly vendor: string; readonly trace: TapRequestTrace }>(
  'sync.request',
);
export const tapRunEnded = new ProcessEvent<TapRunEndEvent>('sync.tap_run.ended');

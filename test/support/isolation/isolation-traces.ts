import { expect } from 'vitest';
import { textFinder } from '../secrets/text-finder.js';
import type { IsolationReply } from './isolation-calls.js';
import type { IsolationTarget } from './isolation-targets.js';

export class IsolationTraces {
  readonly #find: (text: Buffer) => Map<number, number>;

  constructor(readonly secrets: readonly string[]) {
    this.#find = textFinder(secrets.map((secret) => Buffer.from(secret)));
  }

  leaksOf({ everything }: IsolationReply, { id, isRepeated }: IsolationTarget): string[] {
    const text = isRepeated ? everything.replaceAll(id, '') : everything;
    return [...this.#find(Buffer.from(text)).keys()].map((at) => this.secrets[at] as string);
  }

  /**
   * Checks that no response leaks a secret, and that a foreign id is indistinguishable from a missing id. Returns the
   * number of comparisons.
   */
  expectNone(targets: readonly IsolationTarget[], responses: ReadonlyMap<string, IsolationReply>): number {
    const found = targets.map((target) => ({ target, response: responses.get(target.name) as IsolationReply }));
    expect(found.flatMap(({ target, response }) => this.leaksOf(response, target))).toEqual([]);
    const pairs = found.filter(({ target }) => target.sameAs);
    for (const { target, response } of pairs) {
      const missing = found.find((one) => one.target.name === target.sameAs) as (typeof found)[number];
      expect(bytesOf(response, target)).toBe(bytesOf(missing.response, missing.target));
    }
    return pairs.length;
  }
}

function bytesOf({ bytes }: IsolationReply, { id, isRepeated }: IsolationTarget): string {
  return isRepeated ? bytes.replaceAll(id, '') : bytes;
}

import type { Reader } from './reader.js';

/** Code must not store the state of a request elsewhere. */
export interface RequestContext {
  readonly requestId: string;
  readonly read: Reader;
}

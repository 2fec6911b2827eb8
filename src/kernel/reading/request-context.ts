import type { Reader } from './reader.js';

/** State of one request. Request state must not be stored elsewhere. */
export interface RequestContext {
  readonly requestId: string;
  readonly read: Reader;
}

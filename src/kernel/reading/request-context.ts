import type { Reader } from './reader.js';

/** What one request knows; nothing about a request lives anywhere else. */
export interface RequestContext {
  readonly requestId: string;
  readonly read: Reader;
}

import type { StubReply, VendorCallRecord } from '../servers/any-host-server.js';
import type { SimulatedRecord, SimulatedTap, VendorValues } from './simulated-tap-records.js';

/** `memory` lasts for one reading of the tap. */
export interface VendorData {
  readonly tap: SimulatedTap;
  readonly records: readonly SimulatedRecord[];
  readonly memory: { statement: string; polls: number };
}

export type Respond = (call: VendorCallRecord, data: VendorData) => StubReply;

/**
 * The keys consist of the method and the path below the base URL, such as `GET /users/*`. `*` is one segment of the
 * path.
 */
type Requests = Readonly<Record<string, Respond>>;

/** The responses of a vendor. They follow the vendor's documentation, not the definition. */
export interface VendorDialect {
  readonly bases: readonly string[];
  /** Requests for lists with pages. */
  readonly pages?: Requests;
  /** Requests for lists without pages. */
  readonly lists?: Requests;
  /** Taps whose responses have no pages, although their requests match `pages`. */
  readonly tapsWithoutPages?: readonly string[];
  /** Requests for single records. */
  readonly records?: Requests;
  /** Requests that return no records. */
  readonly steps?: Requests;
  /** Values of fields in a format that the schema does not describe. */
  readonly values?: VendorValues;
  /**
   * Converts a record to the form of the vendor's response. Necessary only if the vendor's records differ from the
   * schema of the tap.
   */
  readonly sent?: (record: SimulatedRecord, tap: SimulatedTap) => SimulatedRecord;
  /**
   * Response to a request with an expired or revoked credential. Defaults to the response that the `Scenario` of the
   * strategy contains for this case.
   */
  readonly unauthorized?: StubReply;
}

export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest';
}

export const PAGE_SIZE = 2;

export interface VendorPage {
  readonly records: readonly SimulatedRecord[];
  readonly offset: number;
  readonly total: number;
  /** Offset of the next page. Undefined on the last page. */
  readonly next: number | undefined;
}

export function pageAt({ records }: VendorData, offset: number, size = PAGE_SIZE): VendorPage {
  const end = offset + size;
  const next = end < records.length ? end : undefined;
  return { records: records.slice(offset, end), offset, total: records.length, next };
}

export function pageAtCursor(data: VendorData, cursor: unknown, size?: number): VendorPage & { cursor?: string } {
  const page = pageAt(data, cursor === undefined || cursor === null ? 0 : offsetOf(cursor), size);
  return page.next === undefined ? page : { ...page, cursor: cursorAt(page.next) };
}

/** The cursor has characters that a URL must escape. */
export function cursorAt(offset: number): string {
  return `c+/${offset}==`;
}

function offsetOf(cursor: unknown): number {
  const offset = /^c\+\/(\d+)==$/.exec(`${cursor}`)?.[1];
  if (offset === undefined) throw new RejectedRequest(`Invalid cursor: ${cursor}`);
  return Number(offset);
}

export function ok(body: unknown, headers?: StubReply['headers']): StubReply {
  return headers ? { status: 200, body, headers } : { status: 200, body };
}

export function numberOf({ url }: VendorCallRecord, name: string, byDefault: number): number {
  const text = url.searchParams.get(name) ?? `${byDefault}`;
  if (!/^\d+$/.test(text)) throw new RejectedRequest(`Invalid ${name}: ${text}`);
  return Number(text);
}

/** Returns the request URL with these parameters set. */
export function linkOf({ url }: VendorCallRecord, parameters: Readonly<Record<string, string | number>>): URL {
  const link = new URL(url);
  for (const [name, value] of Object.entries(parameters)) link.searchParams.set(name, `${value}`);
  return link;
}

/** Requires these parameters. Without them, the vendor rejects the request or returns different records. */
export function withParameters(parameters: Readonly<Record<string, string>>, respond: Respond): Respond {
  return (call, data) => {
    const wrong = Object.entries(parameters).find(([name, value]) => call.url.searchParams.get(name) !== value);
    if (wrong) throw new RejectedRequest(`The request needs ${wrong.join('=')}.`);
    return respond(call, data);
  };
}

export function jsonOf({ headers, body }: VendorCallRecord): Record<string, unknown> {
  if (!headers['content-type']?.startsWith('application/json')) throw new RejectedRequest('The body is not JSON.');
  return JSON.parse(body);
}

export function pick(record: SimulatedRecord, names: readonly string[]): SimulatedRecord {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
}

export function selectedColumns(statement: string): string[] {
  const list = /^SELECT (.*?) FROM /s.exec(statement)?.[1];
  if (!list) throw new RejectedRequest(`Invalid statement: ${statement}`);
  const columns = [''];
  let depth = 0;
  for (const character of list) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (character === ',' && depth === 0) columns.push('');
    else columns[columns.length - 1] += character;
  }
  return columns.map((column) => column.trim());
}

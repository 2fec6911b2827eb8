import { XMLParser } from 'fast-xml-parser';
import { failureOf } from './failure-table.js';

/** The same limit as for JSON. */
const MAX_DEPTH = 64;

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi;
const PREDEFINED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const MAX_CODE_POINT = 0x10ffff;

class DoctypeError extends Error {
  override readonly name = 'DoctypeError';
}

/**
 * Decodes the entities of XML 1.0, section 4.6, and character references. Only a DOCTYPE could declare other entities.
 */
const entityDecoder = {
  addInputEntities: () => {
    throw new DoctypeError();
  },
  setExternalEntities: () => undefined,
  reset: () => undefined,
  setXmlVersion: () => undefined,
  decode: (text: string) => text.replace(ENTITY, characterOf),
};

/**
 * Repeated elements and the elements in `listNames` become lists. Attributes have the prefix `@_`, and the text of an
 * element with attributes is `#text`. All values are strings. Rejects a DOCTYPE, because nested entities can expand to
 * any size. Throws `TapReadError`, whose message contains no text of the source.
 */
export function decodeXml(text: string, listNames: ReadonlySet<string>): unknown {
  const parser = new XMLParser({
    ignoreAttributes: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    parseTagValue: false,
    maxNestedTags: MAX_DEPTH,
    isArray: (name) => listNames.has(name),
    entityDecoder,
  });
  try {
    return parser.parse(text, true);
  } catch (error) {
    // The parser's messages quote the text of the source.
    const problem = error instanceof DoctypeError ? 'contains a DOCTYPE' : 'is invalid or nested too deeply';
    throw failureOf('unexpected_shape', { message: `The XML response ${problem}.` });
  }
}

function characterOf(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return PREDEFINED[name] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code).toWellFormed() : entity;
}

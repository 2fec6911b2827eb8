import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';

export type JsonNode = Readonly<Record<string, unknown>>;

export type ResolveReference = (node: JsonNode | undefined) => JsonNode | undefined;

const MAX_REFERENCES = 20;

/** Reads each description file once. Makes references (RFC 6901) absolute, so that they work across files. */
export class Documents {
  readonly #read = new Map<string, JsonNode>();

  read(file: string): JsonNode {
    const known = this.#read.get(file);
    if (known) return known;
    const text = readFileSync(file, 'utf8');
    const document = (file.endsWith('.json') ? JSON.parse(text) : parse(text, { uniqueKeys: false })) as JsonNode;
    makeAbsolute(document, (reference) => absolute(reference, file, 'discoveryVersion' in document));
    this.#read.set(file, document);
    return document;
  }

  /** Returns undefined if more than `MAX_REFERENCES` references follow each other, because they may be cyclic. */
  readonly resolve: ResolveReference = (node) => {
    let found = node;
    for (let count = 0; typeof found?.$ref === 'string'; count++) {
      if (count === MAX_REFERENCES) return undefined;
      const [file = '', pointer = ''] = found.$ref.split('#');
      found = pointer.split('/').slice(1).map(unescaped).reduce(child, this.read(file));
    }
    return found;
  };
}

function child(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.[key] as JsonNode | undefined;
}

function unescaped(key: string): string {
  return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
}

function makeAbsolute(value: unknown, of: (reference: string) => string): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Record<string, unknown>;
  if (typeof node.$ref === 'string') node.$ref = of(node.$ref);
  const { mapping } = (node.discriminator ?? {}) as { mapping?: Record<string, string> };
  for (const [value, reference] of Object.entries(mapping ?? {}))
    (mapping as JsonNode & typeof mapping)[value] = of(reference);
  for (const part of Object.values(node)) makeAbsolute(part, of);
}

/** Google discovery documents refer to a schema by its name, without a JSON pointer. */
function absolute(reference: string, file: string, isDiscovery: boolean): string {
  if (isDiscovery) return `${file}#/schemas/${reference}`;
  const [other, pointer = ''] = reference.split('#');
  return `${other ? resolve(dirname(file), other) : file}#${pointer}`;
}

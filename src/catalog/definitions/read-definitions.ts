import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Document, isAlias, isNode, LineCounter, parseDocument, visit } from 'yaml';
import { parseTimestamp } from '../../kernel/formats/parse-timestamp.js';
import { PROJECT_ROOT } from '../../kernel/project-root.js';
import type { DefinitionFault, VendorDefinition } from './definition.js';
import { definitionRules } from './definition-rules.js';

/** Each line of the message is one fault, with file, line, column and rule. */
export class DefinitionError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'DefinitionError';
  }
}

let validator: ValidateFunction<VendorDefinition> | undefined;

/** Compiles the schema on first use. A start without the operator's own definitions does not need the schema. */
function compiledSchema(): ValidateFunction<VendorDefinition> {
  if (validator) return validator;
  const ajv = formats.default(new Ajv2020({ allErrors: true, strict: false }));
  ajv.addFormat('date-time', { validate: (text: string) => parseTimestamp(text) !== undefined });
  const schema = readFileSync(join(PROJECT_ROOT, 'catalog', 'definition.schema.json'), 'utf8');
  validator = ajv.compile<VendorDefinition>(JSON.parse(schema));
  return validator;
}

/**
 * Reads the `.yaml` files of the folders and their subfolders. The definitions of each folder are ordered by slug. A
 * slug must not occur twice in the folders and `shipped`. Throws one `DefinitionError` with the faults of all files.
 */
export async function readDefinitions(
  folders: readonly string[],
  shipped: readonly VendorDefinition[] = [],
): Promise<VendorDefinition[]> {
  const files: string[] = [];
  const faults: string[] = [];
  for (const folder of folders) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => !isHidden(name)).sort(bySlug);
    files.push(...names.filter((name) => name.endsWith('.yaml')).map((name) => join(folder, name)));
    for (const name of names.filter((other) => other.endsWith('.yml'))) {
      faults.push(`${join(folder, name)}:1:1 file-name: the file must be named <slug>.yaml`);
    }
  }
  const fileOf = new Map(shipped.map((vendor) => [vendor.slug, 'the bundled catalog']));
  const definitions: VendorDefinition[] = [];
  for (const file of files) {
    const slug = basename(file, '.yaml');
    const other = fileOf.get(slug);
    if (other) faults.push(`${file}:1:1 vendor-defined-once: ${other} also defines this vendor`);
    fileOf.set(slug, file);
    try {
      definitions.push(parseDefinition(await readFile(file, 'utf8'), file));
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length) throw new DefinitionError(faults);
  return definitions;
}

/** Kubernetes mounts each file of a ConfigMap in a hidden folder, and adds a visible link to the file. */
function isHidden(path: string): boolean {
  return path.split(sep).some((name) => name.startsWith('.'));
}

function bySlug(a: string, b: string): number {
  return basename(a) < basename(b) ? -1 : 1;
}

/** The name of `file` without its extension must equal the slug. Faults quote `file`. */
export function parseDefinition(text: string, file: string): VendorDefinition {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', version: '1.2', merge: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const errors = [
    ...document.errors.map(({ pos, message }) => ({ offset: pos[0], message })),
    ...unusableNodes(document),
  ];
  const broken = errors.map(({ offset, message }) => `${at(offset)} yaml: ${message.split('\n')[0]}`);
  if (broken.length) throw new DefinitionError(broken);

  const value: unknown = document.toJS();
  const validate = compiledSchema();
  const faults = validate(value)
    ? definitionRules.flatMap((rule) => rule(value, basename(file, '.yaml')))
    : (validate.errors ?? []).map(schemaFault);
  if (faults.length === 0) return value as VendorDefinition;
  throw new DefinitionError(faults.map(({ path, rule, message }) => `${at(offsetOf(path))} ${rule}: ${message}`));

  /** If the node does not exist, returns the offset of its nearest existing ancestor. */
  function offsetOf(path: readonly (string | number)[]): number {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  }
}

/**
 * Finds YAML that JSON or PostgreSQL cannot represent. Also finds aliases and tags, which make a definition hard to
 * read.
 */
function unusableNodes(document: Document): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = [];
  visit(document, {
    Node(_, node) {
      const fault = (message: string) => found.push({ offset: node.range?.[0] ?? 0, message });
      if (isAlias(node)) fault('aliases are not allowed. Repeat the value');
      else if (node.tag) fault(`the tag ${node.tag} is not supported`);
      else if ('value' in node && typeof node.value === 'number' && !Number.isFinite(node.value))
        fault('the number is not finite');
      else if ('value' in node && typeof node.value === 'string' && !isStorableText(node.value)) {
        fault('the string contains a NUL or an unpaired surrogate');
      }
    },
  });
  return found;
}

function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function schemaFault({ instancePath, keyword, message, params }: ErrorObject): DefinitionFault {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const unknown = keyword === 'additionalProperties' ? String(params.additionalProperty) : undefined;
  const detail = unknown
    ? `unknown field ${unknown}`
    : keyword === 'enum'
      ? `${message}: ${params.allowedValues.join(', ')}`
      : message;
  return {
    path: unknown ? [...path, unknown] : path,
    rule: `schema/${keyword}`,
    message: `${path.join('.') || 'definition'}: ${detail}`,
  };
}

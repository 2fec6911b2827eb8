import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { Audited, Identified } from '../kernel/audited.js';
import { PROJECT_ROOT } from '../kernel/project-root.js';
import type { Lean } from '../kernel/reading.js';
import type { Connector } from './connector.js';
import type { ConnectorAuthStrategy } from './connector-auth-strategy.js';
import type { ConnectorTap } from './connector-tap.js';
import { definitionRules } from './definition-rules.js';
import type { InboundAuthStrategy } from './inbound-auth-strategy.js';
import type { PlatformVendor } from './platform-vendor.js';
import type { PlatformVendorGrouping } from './platform-vendor-grouping.js';

type Part<Entity> = Omit<Lean<Entity>, keyof Audited | 'definitionKey' | 'position' | 'connector'>;

export type StrategyDefinition = Part<ConnectorAuthStrategy> & { key: string };
export type InboundStrategyDefinition = Part<InboundAuthStrategy> & { key: string };
export type TapDefinition = Part<ConnectorTap>;
export type ConnectorDefinition = Omit<Part<Connector>, 'vendor' | 'slug'> & {
  key: string;
  supportedAuthStrategies: StrategyDefinition[];
  inboundAuthStrategies?: InboundStrategyDefinition[];
  taps: TapDefinition[];
};
export type GroupingDefinition = Omit<
  Lean<PlatformVendorGrouping>,
  keyof Identified | 'vendor' | 'parent' | 'isLeaf' | 'breadcrumbs' | 'groupingPath' | 'connectorId' | 'sortOrder'
> & { connector?: string; sortOrder?: number; groupings?: GroupingDefinition[] };
export type VendorDefinition = Omit<Lean<PlatformVendor>, keyof Identified> & {
  connectors?: ConnectorDefinition[];
  groupings: GroupingDefinition[];
};

/** Something wrong in a definition: where, which rule, and what it says. */
export interface Fault {
  path: readonly (string | number)[];
  rule: string;
  message: string;
}

/** A definition that cannot be used. Each line names file, line, column and rule. */
export class DefinitionError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'DefinitionError';
  }
}

const schemaFile = join(PROJECT_ROOT, 'catalog', 'definition.schema.json');
const ajv = formats.default(new Ajv2020({ allErrors: true, strict: false }));
const validate = ajv.compile<VendorDefinition>(JSON.parse(readFileSync(schemaFile, 'utf8')));

/** Reads the `.yaml` files of the folders, in order of name. Throws one `DefinitionError` with the faults of all files. */
export async function readDefinitions(folders: readonly string[]): Promise<VendorDefinition[]> {
  const files: string[] = [];
  for (const folder of folders) {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
    files.push(...names.map((name) => join(folder, name)));
  }
  const faults: string[] = [];
  const fileOf = new Map<string, string>();
  const definitions: VendorDefinition[] = [];
  for (const file of files) {
    const slug = basename(file, '.yaml');
    const other = fileOf.get(slug);
    if (other) faults.push(`${file}:1:1 vendor-defined-once: the vendor is defined in ${other} too`);
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

/** Parses and checks one definition. `file` names it in faults, and its base name is the slug that it must have. */
export function parseDefinition(text: string, file: string): VendorDefinition {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const broken = document.errors.map((error) => `${at(error.pos[0])} yaml: ${error.message.split('\n')[0]}`);
  if (broken.length) throw new DefinitionError(broken);

  const value: unknown = document.toJS({ maxAliasCount: 0 });
  const faults = validate(value)
    ? definitionRules.flatMap((rule) => rule(value, basename(file, '.yaml')))
    : (validate.errors ?? []).map(schemaFault);
  if (faults.length === 0) return value as VendorDefinition;
  throw new DefinitionError(faults.map(({ path, rule, message }) => `${at(offsetOf(path))} ${rule}: ${message}`));

  /** Start of the node at the path, or of the nearest one above it. */
  function offsetOf(path: readonly (string | number)[]): number {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return 0;
  }
}

function schemaFault({ instancePath, keyword, message, params }: ErrorObject): Fault {
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

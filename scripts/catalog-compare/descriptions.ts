import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { buildSchema } from 'graphql';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../src/kernel/project-root.js';
import type { Description } from './compare-connector.js';
import type { Documents } from './documents.js';
import { readDescribedOperations } from './read-described-operations.js';

/** A mapping or description is unreadable. */
export class DescriptionError extends Error {}

export interface Mapping {
  readonly files: readonly { readonly file: string; readonly basePath?: string; readonly source?: string }[];
  /** Maps the printed text of a difference to the reason why the definition is correct. */
  readonly accepted?: Readonly<Record<string, string>>;
}

const text = { type: 'string' };
const mappingSchema = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['files'],
    additionalProperties: false,
    properties: {
      files: {
        type: 'array',
        items: {
          type: 'object',
          required: ['file'],
          additionalProperties: false,
          properties: { file: text, basePath: text, source: text },
        },
      },
      accepted: { type: 'object', additionalProperties: text },
    },
  },
};

/**
 * Reads `descriptions.yaml` from the folder or, if the folder has none, from this repository. Keys are
 * `vendor/connector`.
 */
export function readMappings(folder: string): Readonly<Record<string, Mapping>> {
  const own = join(folder, 'descriptions.yaml');
  const file = existsSync(own) ? own : join(PROJECT_ROOT, 'scripts', 'catalog-compare', 'descriptions.yaml');
  const ajv = new Ajv();
  const mappings = read(file, () => parse(readFileSync(file, 'utf8'))) as Readonly<Record<string, Mapping>>;
  if (!ajv.validate(mappingSchema, mappings)) throw new DescriptionError(`${file}: ${ajv.errorsText()}`);
  return mappings;
}

/** Returns undefined if none of the connector's files exists in the folder. */
export function readDescription(folder: string, mapping: Mapping, documents: Documents): Description | undefined {
  const files = mapping.files
    .map(({ file, basePath }) => ({ file: join(folder, file), basePath }))
    .filter(({ file }) => existsSync(file));
  if (!files.length) return undefined;
  const isGraphql = ({ file }: { file: string }) => file.endsWith('.graphql');
  return {
    graphql: files.filter(isGraphql).map(({ file }) => read(file, () => buildSchema(readFileSync(file, 'utf8')))),
    operations: files
      .filter((one) => !isGraphql(one))
      .flatMap(({ file, basePath }) => read(file, () => readDescribedOperations(documents, file, basePath))),
  };
}

function read<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new DescriptionError(`${file}: ${(error as Error).message}`);
  }
}

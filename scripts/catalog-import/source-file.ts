import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import type { JsonNode } from '../catalog-compare/documents.js';

const MIB = 2 ** 20;
const MAX_MIB = 32;
const MAX_DEPTH = 200;

/** The message is for the user of the command. */
export class ImportError extends Error {}

export interface SourceFile {
  readonly name: string;
  readonly root: JsonNode;
}

/** Reads a JSON or YAML file of at most 32 MiB and 200 levels. Throws `ImportError`. */
export function readSourceFile(path: string): SourceFile {
  const name = basename(path);
  const root = parseText(readText(path), name);
  if (!isNode(root)) throw new ImportError(`${name} contains no object.`);
  if (isTooDeep(root)) throw new ImportError(`${name} is nested more than ${MAX_DEPTH} levels deep.`);
  return { name, root };
}

export function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readText(path: string): string {
  try {
    const file = statSync(path);
    if (!file.isFile()) throw new ImportError(`${path} is not a file.`);
    if (file.size > MAX_MIB * MIB) throw new ImportError(`${path} exceeds ${MAX_MIB} MiB.`);
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

function parseText(text: string, name: string): unknown {
  try {
    return /^\s*[{[]/.test(text) && isJson(name) ? JSON.parse(text) : parse(text, { uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) throw new ImportError(`${name} is nested more than ${MAX_DEPTH} levels deep.`);
    throw new ImportError(`${name} is not valid JSON or YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}

function isJson(name: string): boolean {
  return name.toLowerCase().endsWith('.json');
}

/** Visits each object once, because YAML aliases share objects. */
function isTooDeep(root: unknown): boolean {
  const seen = new Set<unknown>();
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const objects = level.filter((value) => typeof value === 'object' && value !== null && !seen.has(value));
    for (const object of objects) seen.add(object);
    level = [...new Set(objects)].flatMap((object) => Object.values(object as object));
  }
  return false;
}

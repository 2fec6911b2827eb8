import { toJmesPath, toVariable } from '../names.js';

const ACCESS = String.raw`(?:\.(\w+)|\[\s*['"]([^'"]+)['"]\s*\])`;
const CONFIG = new RegExp(String.raw`\{\{\s*config${ACCESS}\s*\}\}`, 'g');
const PARENT = new RegExp(String.raw`\{\{\s*stream_(?:partition|slice)${ACCESS}\s*\}\}`, 'g');

export interface Template {
  /** The template with each variable in single braces, such as `{startDate}`. */
  readonly text: string;
  /** Names of config fields of the manifest. */
  readonly fields: readonly string[];
  /** Names of values from the parent record. */
  readonly partitions: readonly string[];
}

/** Converts `{{ config['x'] }}` and `{{ stream_partition.x }}`. Returns undefined for other expressions. */
export function toTemplate(source: string): Template | undefined {
  const fields: string[] = [];
  const partitions: string[] = [];
  const text = source
    .replace(CONFIG, (_, dotted, quoted) => {
      fields.push(dotted ?? quoted);
      return `{${toVariable(dotted ?? quoted)}}`;
    })
    .replace(PARENT, (_, dotted, quoted) => {
      partitions.push(dotted ?? quoted);
      return `{${toVariable(dotted ?? quoted)}}`;
    });
  return /\{\{|\{%/.test(text) ? undefined : { text, fields, partitions };
}

/** Converts `{{ response['meta']['next'] }}` to JMESPath. Returns undefined for other expressions. */
export function toResponsePath(expression: string): string | undefined {
  const [, path] = /^\s*\{\{\s*response((?:\.\w+|\[\s*['"][^'"]+['"]\s*\])+)\s*\}\}\s*$/.exec(expression) ?? [];
  if (!path) return undefined;
  return toJmesPath([...path.matchAll(new RegExp(ACCESS, 'g'))].map(([, dotted, quoted]) => dotted ?? quoted ?? ''));
}

/** Returns the field of an expression such as `{{ last_record['id'] }}`. Returns undefined for other expressions. */
export function lastRecordField(expression: string): string | undefined {
  const [, dotted, quoted] =
    new RegExp(String.raw`^\s*\{\{\s*last_record(?:s\[-1\])?${ACCESS}\s*\}\}\s*$`).exec(expression) ?? [];
  return dotted ?? quoted;
}

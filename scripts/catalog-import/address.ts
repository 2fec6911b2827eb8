import type { ConnectorDefinition } from '../../src/catalog/definitions/definition.js';
import { toVariable } from './names.js';
import type { Notes } from './notes.js';

type Address = Pick<ConnectorDefinition, 'defaultBaseUrl' | 'addressingConfig' | 'ingestionConfigSchema'>;

/**
 * Each variable in braces becomes a config field. `valuesOf` returns the allowed values of a variable. An empty list
 * allows any value.
 */
export function addressOf(
  template: string,
  pointer: string,
  notes: Notes,
  valuesOf: (name: string) => readonly string[] = () => [],
): Address {
  const names = [...new Set([...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name as string))];
  if (names.length === 0) return { defaultBaseUrl: template };
  const [, scheme = 'https', host = '', basePath = ''] =
    /^(\w+):\/\/([^/]*)(.*)$/s.exec(template.replace(/\{([^{}]+)\}/g, (_, name) => `{${toVariable(name)}}`)) ?? [];
  notes.check('connector', pointer, `the customer fills in ${names.join(', ')}; check the pattern of each field`);
  const field = (name: string): object => {
    const values = valuesOf(name);
    const limit = values.length > 0 ? { enum: values } : { pattern: '^[A-Za-z0-9][A-Za-z0-9-]*$' };
    return { type: 'string', title: name, ...limit };
  };
  return {
    addressingConfig: {
      scheme,
      host,
      ...(basePath && { basePath }),
      variables: names.map((name) => ({ name: toVariable(name), source: 'user_input', required: true })),
    },
    ingestionConfigSchema: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(names.map((name) => [toVariable(name), field(name)])),
      required: names.map(toVariable),
    },
  };
}

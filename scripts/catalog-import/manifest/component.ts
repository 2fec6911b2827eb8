import type { JsonNode, ResolveReference } from '../../catalog-compare/documents.js';
import { isNode } from '../source-file.js';

const MAX_REFERENCES = 20;

/**
 * A component of a manifest. Members next to a reference (`$ref`) override the members of its target. A component
 * inherits the parameters (`$parameters`) of the components that contain it.
 */
export class Component {
  private constructor(
    private readonly node: JsonNode,
    private readonly parameters: JsonNode,
    private readonly resolve: ResolveReference,
    /** JSON pointer to the component or to its nearest ancestor that is not a reference. */
    readonly pointer: string,
  ) {}

  static of(node: JsonNode, resolve: ResolveReference, pointer: string, inherited: JsonNode = {}): Component {
    let merged = node;
    for (let count = 0; typeof merged.$ref === 'string' && count < MAX_REFERENCES; count++) {
      const { $ref, ...own } = merged;
      const target = resolve({ $ref }) ?? {};
      const parameters = { ...asNode(target.$parameters), ...asNode(own.$parameters) };
      merged = { ...target, ...own, $parameters: parameters };
    }
    return new Component(merged, { ...inherited, ...asNode(merged.$parameters) }, resolve, pointer);
  }

  get type(): string {
    return typeof this.node.type === 'string' ? this.node.type : '';
  }

  value(name: string): unknown {
    const own = this.node[name];
    const value = own ?? (Object.hasOwn(this.parameters, name) ? this.parameters[name] : undefined);
    return typeof value === 'string' ? this.#withParameters(value) : value;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    return typeof value === 'string' ? value : undefined;
  }

  child(name: string): Component | undefined {
    return this.#component(this.node[name], name);
  }

  children(name: string): Component[] {
    const list = this.node[name];
    return (Array.isArray(list) ? list : []).flatMap(
      (item, index) => this.#component(typeof item === 'string' ? { $ref: item } : item, `${name}/${index}`) ?? [],
    );
  }

  /**
   * Returns the members of an object, such as query parameters, as strings. Omits lists, objects, `type`, and members
   * whose names start with `$`.
   */
  entries(name: string): [string, string][] {
    const object = this.child(name)?.node ?? {};
    return Object.entries(object).flatMap(([key, value]): [string, string][] => {
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && key !== 'type';
      return isPlain && !key.startsWith('$') ? [[key, this.#withParameters(String(value))]] : [];
    });
  }

  get names(): string[] {
    return Object.keys(this.node).filter((name) => !name.startsWith('$'));
  }

  get content(): JsonNode {
    return this.node;
  }

  #component(value: unknown, path: string): Component | undefined {
    const node = typeof value === 'string' && value.startsWith('#/') ? { $ref: value } : value;
    return isNode(node) ? Component.of(node, this.resolve, `${this.pointer}/${path}`, this.parameters) : undefined;
  }

  #withParameters(text: string): string {
    return text.replace(
      /\{\{\s*parameters(?:\.(\w+)|\[\s*['"]([^'"]+)['"]\s*\])\s*\}\}/g,
      (template, dotted, quoted) => {
        const value = this.parameters[dotted ?? quoted];
        return typeof value === 'string' || typeof value === 'number' ? String(value) : template;
      },
    );
  }
}

function asNode(value: unknown): JsonNode {
  return isNode(value) ? value : {};
}

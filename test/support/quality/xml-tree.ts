/** `text` is the element's own text, without the text of its children. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const NAME = '[A-Za-z_][A-Za-z0-9_.-]*';
const TAG = new RegExp(`<(/?)(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>`, 'y');
const ATTRIBUTE = new RegExp(`(${NAME})="([^"<]*)"`, 'g');
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Characters that XML 1.0 does not allow, and all control characters except the line feed. */
const FORBIDDEN = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Parses the subset of XML that the service writes. Throws for comments, CDATA, processing instructions and entities
 * that `ENTITIES` does not contain.
 */
export function parseXml(text: string): XmlElement {
  const forbidden = FORBIDDEN.exec(text);
  if (forbidden) throw new Error(`character ${forbidden[0].codePointAt(0)?.toString(16)} at ${forbidden.index}`);
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const within = open.at(-1) ?? document;
    within.text += decoded(text.slice(at, next === -1 ? text.length : next));
    if (next === -1) break;
    TAG.lastIndex = next;
    const [tag, closing, name = '', attributes = '', empty] = TAG.exec(text) ?? [];
    if (tag === undefined) throw new Error(`no tag at ${next}: ${text.slice(next, next + 40)}`);
    at = next + tag.length;
    if (closing === '/') {
      if (open.pop()?.name !== name || attributes !== '' || empty === '/') throw new Error(`${tag} closes nothing`);
      continue;
    }
    const element: XmlElement = { name, attributes: attributesOf(attributes), children: [], text: '' };
    within.children.push(element);
    if (empty !== '/') open.push(element);
  }
  const [root, ...others] = document.children;
  if (open.length !== 1 || root === undefined || others.length > 0 || document.text.trim() !== '')
    throw new Error('there is no single root');
  return root;
}

export function elementsOf(root: XmlElement, name: string): XmlElement[] {
  return root.children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsOf(child, name)]);
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, decoded(value)] as const);
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error(`an attribute twice: ${text}`);
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  return text.replace(/&([^;\s]*);?/g, (entity, name) => {
    const character = entity.endsWith(';') ? ENTITIES[name] : undefined;
    if (character === undefined) throw new Error(`unknown entity ${entity}`);
    return character;
  });
}

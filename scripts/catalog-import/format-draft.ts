import { Document, isCollection, isMap, visit } from 'yaml';
import type { VendorDefinition } from '../../src/catalog/definitions/definition.js';

const LINE_WIDTH = 120;
/** Maximum length of a list or object on one line, measured as JSON. */
const MAX_FLOW_LENGTH = 85;

/** Writes short objects and lists on one line, like the definitions in `catalog/`. */
export function formatDraft(vendor: VendorDefinition, file: string): string {
  const document = new Document(vendor, { aliasDuplicateObjects: false });
  document.commentBefore = ` Draft of ${file.replace(/\p{Cc}/gu, ' ')}. Check each setting.`;
  visit(document, {
    Collection(_, node, path) {
      const isPart = isMap(node) && (node.has('key') || node.has('slug') || node.has('transportOptions'));
      if (path.length < 2 || isPart || isCollection(node.items[0])) return undefined;
      if (JSON.stringify(node).length > MAX_FLOW_LENGTH) return undefined;
      node.flow = true;
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: LINE_WIDTH, singleQuote: true });
}

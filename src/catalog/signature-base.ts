export type SignaturePart = { readonly text: string } | { readonly name: SignedValue };
type SignedValue = (typeof SIGNED_VALUES)[number];

const SIGNED_VALUES = ['id', 'timestamp', 'body', 'url'] as const;

const TEMPLATE_PARTS = /\{([^{}]*)\}|([^{}]+)|[{}]/g;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Parses a template such as `v0:{timestamp}:{body}`. Returns undefined if the template contains an unknown or repeated
 * variable, an unmatched brace, or a character outside printable ASCII.
 */
export function parseSignatureBase(template: string): SignaturePart[] | undefined {
  const parts: SignaturePart[] = [];
  const seen = new Set<string>();
  for (const [piece, name, text] of template.matchAll(TEMPLATE_PARTS)) {
    if (text !== undefined) parts.push({ text });
    else if (!isSignedValue(name) || seen.has(piece)) return undefined;
    else parts.push({ name });
    seen.add(piece);
  }
  return PRINTABLE_ASCII.test(template) ? parts : undefined;
}

/** Returns false if the template is missing or invalid. */
export function signsValue(template: string | null | undefined, value: SignedValue): boolean {
  return Boolean(template && parseSignatureBase(template)?.some((part) => 'name' in part && part.name === value));
}

function isSignedValue(name: string | undefined): name is SignedValue {
  return (SIGNED_VALUES as readonly (string | undefined)[]).includes(name);
}

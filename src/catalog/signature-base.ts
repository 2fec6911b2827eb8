/** What a sender signs, piece by piece: fixed texts, and what differs from delivery to delivery. */
export type SignaturePart = { readonly text: string } | { readonly name: SignedValue };
type SignedValue = (typeof SIGNED_VALUES)[number];

const SIGNED_VALUES = ['id', 'timestamp', 'body', 'url'] as const;

const TEMPLATE_PARTS = /\{([^{}]*)\}|([^{}]+)|[{}]/g;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Parts of a template such as `v0:{timestamp}:{body}`. Undefined where it has another variable, one of them twice, a brace that is
 * none of a variable, or a character beyond ASCII.
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

/** Whether a template has the variable; false for none and for one that does not parse. */
export function signsValue(template: string | null | undefined, value: SignedValue): boolean {
  return Boolean(template && parseSignatureBase(template)?.some((part) => 'name' in part && part.name === value));
}

function isSignedValue(name: string | undefined): name is SignedValue {
  return (SIGNED_VALUES as readonly (string | undefined)[]).includes(name);
}

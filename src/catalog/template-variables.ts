/** Names in single braces. Double braces are literal text, because query languages use them. */
const VARIABLE = /(?<!\{)\{([A-Za-z_][A-Za-z0-9_]*)\}(?!\})/g;

export function templateVariables(template: string): string[] {
  return [...template.matchAll(VARIABLE)].map(([, name]) => name as string);
}

export function fillTemplate(template: string, textOf: (name: string) => string): string {
  return template.replace(VARIABLE, (_, name: string) => textOf(name));
}

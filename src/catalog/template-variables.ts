/** Names in single braces; doubled braces belong to query languages. */
const VARIABLE = /(?<!\{)\{([A-Za-z_][A-Za-z0-9_]*)\}(?!\})/g;

export function templateVariables(template: string): string[] {
  return [...template.matchAll(VARIABLE)].map(([, name]) => name as string);
}

/** The template with a text in the place of every variable. */
export function fillTemplate(template: string, textOf: (name: string) => string): string {
  return template.replace(VARIABLE, (_, name: string) => textOf(name));
}

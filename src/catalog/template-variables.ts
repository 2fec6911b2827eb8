/** Names in single braces; doubled braces belong to query languages. */
export function templateVariables(template: string): string[] {
  return [...template.matchAll(/(?<!\{)\{([A-Za-z_][A-Za-z0-9_]*)\}(?!\})/g)].map(([, name]) => name as string);
}

type Properties = Readonly<Record<string, { readonly secret?: unknown } | null>>;

/**
 * Returns the names of the fields that a config schema marks with `secret: true`. The service encrypts only these
 * fields, and never returns them.
 */
export function secretFieldsOf(schema: Readonly<Record<string, unknown>> | null | undefined): string[] {
  const properties = (schema?.properties ?? {}) as Properties;
  return Object.entries(properties).flatMap(([name, field]) => (field?.secret === true ? [name] : []));
}

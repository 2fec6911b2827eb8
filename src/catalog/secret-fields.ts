type Properties = Readonly<Record<string, { readonly secret?: unknown } | null>>;

/** The service encrypts only the fields with `secret: true`, and never returns them. */
export function secretFieldsOf(schema: Readonly<Record<string, unknown>> | null | undefined): string[] {
  const properties = (schema?.properties ?? {}) as Properties;
  return Object.entries(properties).flatMap(([name, field]) => (field?.secret === true ? [name] : []));
}

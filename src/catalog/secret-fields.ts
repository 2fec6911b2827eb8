type Properties = Readonly<Record<string, { readonly secret?: unknown } | null>>;

/** Names of the fields that a config schema marks `secret: true`. Only these are encrypted and never returned. */
export function secretFieldsOf(schema: Readonly<Record<string, unknown>> | null | undefined): string[] {
  const properties = (schema?.properties ?? {}) as Properties;
  return Object.entries(properties).flatMap(([name, field]) => (field?.secret === true ? [name] : []));
}

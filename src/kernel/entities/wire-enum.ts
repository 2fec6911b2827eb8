import { registerEnumType } from 'type-graphql';

/**
 * Declares an enumeration whose values are the same in code and API. Creates a GraphQL enum with the descriptions in
 * `meanings`, and returns an object such as `{ VALUE: 'VALUE' }`.
 */
export function wireEnum<Value extends string>(
  name: string,
  description: string,
  meanings: Record<Value, string>,
): { readonly [V in Value]: V } {
  const values = Object.keys(meanings) as Value[];
  const object = Object.fromEntries(values.map((value) => [value, value])) as { [V in Value]: V };
  registerEnumType(object, {
    name,
    description,
    valuesConfig: Object.fromEntries(values.map((value) => [value, { description: meanings[value] }])) as {
      [V in Value]: { description: string };
    },
  });
  return object;
}

import {
  type GraphQLScalarType,
  type GraphQLSchema,
  isScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';

export function printSdl(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Returns the scalars whose `specifiedBy` URL is a path of this service. */
export function ownScalarsOf(schema: GraphQLSchema): { path: string; text: () => string }[] {
  return Object.values(schema.getTypeMap())
    .filter(isScalarType)
    .filter(({ specifiedByURL }) => specifiedByURL?.startsWith('/'))
    .map((scalar) => ({ path: scalar.specifiedByURL as string, text: () => specify(scalar) }));
}

function specify({ name, description, extensions }: GraphQLScalarType): string {
  return `${name}\n\n${description}\n\nJSON Schema: ${JSON.stringify(extensions.jsonSchema)}\n`;
}

import type { GraphQLSchema } from 'graphql';
export function createOpenApi(schema: GraphQLSchema): object { return {schema: !!schema}; }

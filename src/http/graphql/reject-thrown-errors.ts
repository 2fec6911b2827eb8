import { type GraphQLSchema, isObjectType } from 'graphql';

/**
 * Changes resolvers so that they return a rejected promise instead of throwing. When an item of a list throws,
 * graphql-js abandons the pending items. A rejection of an abandoned item would be unhandled and would end the process.
 */
export function rejectThrownErrors(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve) continue;
      field.resolve = (source, args, context, info) => {
        try {
          return resolve(source, args, context, info);
        } catch (error) {
          return Promise.reject(error);
        }
      };
    }
  }
}

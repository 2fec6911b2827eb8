import { type GraphQLSchema, isObjectType } from 'graphql';

/**
 * Turns synchronous throws of resolvers into rejections. graphql-js abandons the pending items of a list after a later
 * item throws. The rejection of an abandoned item is unhandled and would end the process.
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

import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
} from 'graphql';
import { type Operation, readOperations } from '../../../rest-facade/operations.js';
import type { Route } from '../../../rest-facade/routes/route.js';
import { newId } from '../../../src/kernel/ids.js';
import type { Client } from '../service/service.js';

type Field = GraphQLField<unknown, unknown>;

/** Sends harmless requests that show whether a caller may use a field or an endpoint. */
export class PermissionProbe {
  readonly #operations: ReadonlyMap<string, Operation>;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly anonymous: Client,
  ) {
    this.#operations = readOperations(schema);
  }

  rootFields(): Map<string, Field> {
    const { schema } = this;
    const types = [
      schema.getQueryType(),
      schema.getMutationType(),
      schema.getSubscriptionType(),
    ] as GraphQLObjectType[];
    return new Map(types.flatMap((type) => Object.entries(type.getFields())));
  }

  /** A root field such as `me`, or a nested field such as `User.roles`. */
  fieldOf(name: string): Field {
    const [type, field] = name.split('.') as [string, string?];
    if (field === undefined) return this.rootFields().get(type) as Field;
    return (this.schema.getType(type) as GraphQLObjectType).getFields()[field] as Field;
  }

  /** The root field of the operation behind a route. */
  rootFieldOf(route: Route): string {
    const [root] = this.#operationOf(route).definition.selectionSet.selections;
    if (root?.kind !== Kind.FIELD) throw new Error(`${route.operation} has no root field`);
    return root.name.value;
  }

  /** `x` if the root field was resolved, `.` if its rule rejected the caller, otherwise the error code. */
  async markOfField(client: Client, name: string): Promise<string> {
    const field = this.fieldOf(name);
    const args = field.args.filter(isRequiredArgument);
    const inBrackets = (texts: string[]): string => (texts.length ? `(${texts.join(', ')})` : '');
    const declared = inBrackets(args.map((arg) => `$${arg.name}: ${String(arg.type)}`));
    const given = inBrackets(args.map((arg) => `${arg.name}: $${arg.name}`));
    const kind = this.schema.getMutationType()?.getFields()[name] ? 'mutation' : 'query';
    const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
    const { headers, body } = await client.graphql(
      `${kind} ${declared} { ${name}${given} ${selection} }`,
      Object.fromEntries(args.map((arg) => [arg.name, someValue(arg.type)])),
    );
    if (body.error) return this.#markOf(client, headers.get('x-error-code') as string); // rejected before the document was read
    const [error] = body.errors ?? [];
    if (!error) return 'x';
    if (String(error.path) !== name) return `not resolved: ${error.message}`;
    return this.#markOf(client, error.extensions.code);
  }

  /** `x` if the endpoint executed its operation, `.` if the rule of its root field rejected the caller. */
  async markOfRoute(client: Client, route: Route): Promise<string> {
    const required = [...this.#operationOf(route).variables].filter(([, type]) => isNonNullType(type));
    const values = Object.fromEntries(required.map(([name, type]) => [name, someValue(type)]));
    const address = route.path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    const { status, headers } = await (route.method === 'post'
      ? client.post(address, values)
      : client.request(address, { method: route.method.toUpperCase() }));
    if (status === 200) return 'x';
    return this.#markOf(client, headers.get('x-error-code') ?? `no code at ${status}`);
  }

  #operationOf(route: Route): Operation {
    return this.#operations.get(route.operation) as Operation;
  }

  #markOf(client: Client, code: string): string {
    if (code === (client === this.anonymous ? 'UNAUTHENTICATED' : 'FORBIDDEN')) return '.';
    return ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT'].includes(code) ? 'x' : code;
  }
}

/** A harmless value of the type: ids do not exist and strings are arbitrary. */
function someValue(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return someValue(type.ofType);
  if (isListType(type)) return [someValue(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(required.map((field) => [field.name, someValue(field.type)]));
  }
  if (type.name === 'Base62Id') return newId();
  if (type.name === 'String') return 'nobody';
  if (type.name === 'Boolean') return true;
  if (type.name === 'JSONObject') return {};
  if (type.name === 'Upload') return new File(['a,b\n1,2\n'], 'some.csv');
  throw new Error(`some value of ${type.name} is needed`);
}

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

/** Sends harmless requests that reveal whether a caller may use a field or an endpoint. */
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

  /** `name` is a root field such as `me`, or a nested field such as `User.roles`. */
  fieldOf(name: string): Field {
    const [type, field] = name.split('.') as [string, string?];
    if (field === undefined) return this.rootFields().get(type) as Field;
    return (this.schema.getType(type) as GraphQLObjectType).getFields()[field] as Field;
  }

  rootFieldOf(route: Route): string {
    const [root] = this.#operationOf(route).definition.selectionSet.selections;
    if (root?.kind !== Kind.FIELD) throw new Error(`${route.operation} has no root field`);
    return root.name.value;
  }

  /**
   * Returns `x` if GraphQL resolved the root field, `.` if its rule rejected the caller, and otherwise the error code.
   */
  async markOfField(client: Client, name: string): Promise<string> {
    return (await this.marksOfFields(client, [name]))[name] as string;
  }

  /**
   * One request contains all queries, and another one all mutations without a file. Each mutation with a file has a
   * separate request.
   */
  async marksOfFields(client: Client, names: readonly string[]): Promise<Record<string, string>> {
    const requests = Map.groupBy(names, (name) => (this.#takesFile(name) ? name : this.#kindOf(name)));
    const marks: Record<string, string> = {};
    for (const group of requests.values()) Object.assign(marks, await this.#marksOfRequest(client, group));
    return marks;
  }

  async #marksOfRequest(client: Client, names: readonly string[]): Promise<Record<string, string>> {
    const calls = names.map((name) => this.#callOf(name));
    const declared = calls.flatMap(({ variables }) => variables.map(({ name, type }) => `$${name}: ${String(type)}`));
    const query = `${this.#kindOf(names[0] as string)} ${inBrackets(declared)} { ${calls.map(({ text }) => text).join(' ')} }`;
    const variables = calls.flatMap((call) => call.variables.map(({ name, type }) => [name, someValue(type)]));
    const { headers, body } = await client.graphql(query, Object.fromEntries(variables));
    const errors: { path?: string[]; message: string; extensions: { code: string } }[] = body.errors ?? [];
    // Set if the service rejected the request before it read the document.
    const unread = body.error && this.#markOf(client, headers.get('x-error-code') as string);
    const misread = errors.find(({ path }) => path?.length !== 1);
    const marks = names.map((name) => {
      const code = errors.find(({ path }) => path?.[0] === name)?.extensions.code;
      if (misread) return [name, `not resolved: ${misread.message}`];
      return [name, unread || (code ? this.#markOf(client, code) : 'x')];
    });
    return Object.fromEntries(marks);
  }

  /** Returns the field with its required arguments as variables. Variable names are unique in a request. */
  #callOf(name: string): { text: string; variables: { name: string; type: GraphQLInputType }[] } {
    const { args, type } = this.fieldOf(name);
    const required = args.filter(isRequiredArgument);
    const nameOf = (arg: { name: string }): string => (this.#takesFile(name) ? arg.name : `${name}_${arg.name}`);
    const given = inBrackets(required.map((arg) => `${arg.name}: $${nameOf(arg)}`));
    const selection = isLeafType(getNamedType(type)) ? '' : '{ __typename }';
    const variables = required.map((arg) => ({ name: nameOf(arg), type: arg.type }));
    return { text: `${name}${given} ${selection}`, variables };
  }

  /** A field that takes a file needs a separate request, with the file as the variable `file`. */
  #takesFile(name: string): boolean {
    return this.fieldOf(name).args.some(({ type }) => getNamedType(type).name === 'Upload');
  }

  #kindOf(name: string): string {
    return this.schema.getMutationType()?.getFields()[name] ? 'mutation' : 'query';
  }

  /**
   * Returns `x` if the endpoint executed its operation, `.` if the rule of its root field rejected the caller, and
   * otherwise the error code.
   */
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

function inBrackets(texts: readonly string[]): string {
  return texts.length ? `(${texts.join(', ')})` : '';
}

/** Returns a harmless value. Ids refer to no object. */
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

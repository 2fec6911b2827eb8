import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql';
import type { Client, Reply } from '../service/service.js';
import { canaryValue } from './canary-values.js';

type Send = (secret: string) => Promise<Reply>;

/**
 * Sends secrets in wrong places: fields of REST bodies, URL parameters and arguments of mutations. Returns only the
 * secrets that the service rejected, because accepted values are ordinary data.
 */
export async function sendMisplacedSecrets(client: Client): Promise<string[]> {
  const secrets: string[] = [];
  for (const send of [...(await restRequests(client)), ...(await mutations(client))]) {
    const secret = canaryValue();
    const { status, body } = await send(secret);
    if (status >= 500) throw new Error(JSON.stringify(body));
    if (status >= 400 || body.errors) secrets.push(secret);
  }
  return secrets;
}

/**
 * Plants the secret in each field of each body, and in an unknown field: as a string, in an object and in a list. Each
 * body contains only one field.
 */
async function restRequests(client: Client): Promise<Send[]> {
  const { body: openapi } = await client.request('/api/openapi.json');
  const operations = Object.entries<Record<string, Operation>>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return operations.flatMap(({ path, method, operation }) => {
    const schema = operation.requestBody?.content['application/json']?.schema;
    const fields = [...Object.keys(schema?.properties ?? {}), 'notAField'];
    const send = (body: string, query = ''): Promise<Reply> => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': canaryValue() };
      const init = method === 'GET' || method === 'DELETE' ? { method } : { method, headers, body };
      return client.request(path.replaceAll(/\{\w+\}/g, 'unknown') + query, init);
    };
    const inQuery: Send = (secret) => send('{}', `?notAParameter=${secret}&limit=${secret}`);
    if (!operation.requestBody) return [inQuery];
    const inBody = fields.flatMap((field) =>
      SHAPES.map(
        (shape): Send =>
          (secret) =>
            send(JSON.stringify({ [field]: shape(secret) })),
      ),
    );
    const broken: Send = (secret) => send(`{"name": "${secret}`);
    return [inQuery, broken, ...inBody];
  });
}

interface Operation {
  readonly requestBody?: { content: Record<string, { schema?: { properties?: object } }> };
}

const SHAPES: readonly ((secret: string) => unknown)[] = [
  (secret) => secret,
  (secret) => ({ secret, [secret.length]: [secret] }),
  (secret) => [[secret]],
];

/** Returns requests that pass the secret to each argument of each mutation, in literals and in variables. */
async function mutations(client: Client): Promise<Send[]> {
  const { body } = await client.graphql(getIntrospectionQuery());
  const schema: GraphQLSchema = buildClientSchema(body.data as IntrospectionQuery);
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {}) as GraphQLField<unknown, unknown>[];
  return fields.flatMap(({ name, args }) =>
    args.flatMap((argument): Send[] => [
      (secret) => client.graphql(`mutation { ${name}(${argument.name}: "${secret}") { __typename } }`),
      (secret) => client.graphql(`mutation { ${name}(${argument.name}: { secret: ["${secret}"] }) { __typename } }`),
      ...SHAPES.map(
        (shape): Send =>
          (secret) =>
            client.graphql(`mutation ($value: ${argument.type}) { ${name}(${argument.name}: $value) { __typename } }`, {
              value: shape(secret),
            }),
      ),
    ]),
  );
}

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anInboundOffer } from '../../support/operations/connection-calls.js';
import { buildDocumentedClients } from '../../support/service/documented-clients.js';
import { aService } from '../../support/service/service.js';

const service = aService();

/** Prints the results as JSON. */
const PROGRAM = `
import { createApolloClient } from './apollo.js';
import { connectionChanged, overview, requestConnector, uploadArtifact, vendorTree } from './documents.js';
import { graphql } from './gql/index.js';
import { createUrqlClient } from './urql.js';

const renameConnection = graphql(\`
  mutation Rename($id: Base62Id!, $name: String) {
    updateConnectorInstance(id: $id, name: $name) {
      id
    }
  }
\`);

const [service = '', token = '', id = ''] = process.argv.slice(2);
const file = (name: string): File => new File(['id,name\\n1,Ada\\n'], name);

const urql = createUrqlClient(service, token, 'demo');
const tree = await urql.query(vendorTree, { slug: 'github' });
const level: string | undefined = tree.data?.platformVendor?.groupings[0]?.groupings[0]?.name;
const partial = await urql.query(overview, {});
const request = await urql.mutation(requestConnector, { name: 'urql' });
const upload = await urql.mutation(uploadArtifact, { file: file('urql.csv') });

const apollo = createApolloClient(service, token, 'demo');
const apolloTree = await apollo.query({ query: vendorTree, variables: { slug: 'github' } });
const apolloLevel: string | undefined = apolloTree.data?.platformVendor?.groupings[0]?.groupings[0]?.name;
const apolloPartial = await apollo.query({ query: overview, errorPolicy: 'all' });
const apolloRequest = await apollo.mutate({ mutation: requestConnector, variables: { name: 'apollo' } });
const apolloUpload = await apollo.mutate({ mutation: uploadArtifact, variables: { file: file('apollo.csv') } });

// @ts-expect-error: a variable is missing
const untyped = () => urql.query(vendorTree, {});

type Changed = { tenantConnectorInstanceChanged?: { name?: string | null } | null } | null | undefined;

/**
 * Returns the name in the first event. Renames the connection until the event arrives, because the client does not
 * report when its stream is open.
 */
const eventOf = async (name: string, subscribe: (take: (data: Changed) => void) => { unsubscribe(): void }) => {
  let found: string | null | undefined;
  const stream = subscribe((data) => (found = data?.tenantConnectorInstanceChanged?.name));
  for (let attempt = 0; !found; attempt++) {
    await rename(name + attempt); // An update with the same name would not be a change.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  stream.unsubscribe();
  return found;
};
const rename = (name: string) => urql.mutation(renameConnection, { id, name });
const live = await eventOf('urql', (take) => urql.subscription(connectionChanged, {}).subscribe(({ data }) => take(data)));
const apolloLive = await eventOf('apollo', (take) =>
  apollo.subscribe({ query: connectionChanged }).subscribe(({ data }) => take(data)),
);

console.log(JSON.stringify({
  urql: {
    level,
    partial: partial.data,
    faults: partial.error?.graphQLErrors.map(({ path, extensions }) => ({ path, ...extensions })),
    status: request.data?.createConnectorRequest?.status,
    live,
    file: upload.data?.uploadArtifact?.artifact.fileName,
  },
  apollo: {
    level: apolloLevel,
    partial: apolloPartial.data,
    error: String(apolloPartial.error),
    status: apolloRequest.data?.createConnectorRequest?.status,
    live: apolloLive,
    file: apolloUpload.data?.uploadArtifact?.artifact.fileName,
  },
}));
`;

describe('the clients of docs/graphql.md', () => {
  let folder: string;
  // biome-ignore lint/suspicious/noExplicitAny: the program prints arbitrary JSON
  let printed: any;

  beforeAll(async () => {
    const owner = service.as('owner');
    const { id } = (await owner.post('/api/connectors', await anInboundOffer(owner))).body.data;
    const { text: sdl } = await service.request('/graphql/schema.graphql');
    folder = await buildDocumentedClients(sdl, { 'src/program.ts': PROGRAM });
    const parameters = [join(folder, 'dist/program.js'), service.url, await service.tokenOf('editor'), id];
    const { stdout } = await promisify(execFile)('node', parameters);
    printed = JSON.parse(stdout);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['urql', 'apollo'])('%s queries, mutates and uploads with the generated types', async (client) => {
    const { level, status, file } = printed[client];
    expect({ level, status, file }).toEqual({ level: expect.any(String), status: 'pending', file: `${client}.csv` });
    const { body } = await service.as('editor').graphql('{ artifacts { items { fileName } } }');
    expect(body.data.artifacts.items).toContainEqual({ fileName: `${client}.csv` });
  });

  it.each(['urql', 'apollo'])('%s subscribes over server-sent events', (client) => {
    expect(printed[client].live).toMatch(new RegExp(`^${client}\\d+$`));
  });

  it.each(['urql', 'apollo'])('%s returns partial data with the error of the denied field', (client) => {
    const { partial, faults, error } = printed[client];
    expect(partial).toEqual({ me: expect.objectContaining({ email: 'editor@demo.test' }), apiKeys: null });
    if (client === 'urql') expect(faults).toEqual([{ path: ['apiKeys'], code: 'FORBIDDEN' }]);
    else expect(error).toContain('requires the permission api_keys:write');
  });
});

import type { Connection } from './connection.js';

type Definition = Pick<Connection, 'strategy'> & Partial<Pick<Connection, 'connector' | 'taps'>>;

export function definedAddresses({ strategy, connector, taps = [] }: Definition): string[] {
  const addresses = [
    strategy.verification?.url,
    connector?.fieldDiscovery?.endpointTemplate,
    ...taps.flatMap(tapAddresses),
  ];
  return addresses.filter((address) => typeof address === 'string');
}

function tapAddresses({ sync, transportOptions }: Connection['taps'][number]): (string | null | undefined)[] {
  const query = sync?.asyncQuery;
  return [
    query?.statusEndpoint,
    query?.recordsEndpoint,
    query?.recordsPagination?.sessionPage?.pagePath,
    ...(transportOptions ?? []).flatMap(({ restConfig, graphqlConfig, pagination }) => [
      restConfig?.endpoint ?? graphqlConfig?.endpoint,
      restConfig?.batch?.endpoint,
      pagination?.sessionPage?.pagePath,
    ]),
  ];
}

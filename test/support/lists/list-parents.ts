// biome-ignore lint/suspicious/noExplicitAny: data of any shape
type Data = any;

/** Maps each type with nested lists to the path of its objects. The path starts with a root list. */
export const LIST_PARENTS: Readonly<Record<string, string>> = {
  User: 'users.items',
  Role: 'roles',
  Invitation: 'invitations.items',
  ConnectorRequest: 'connectorRequests.items',
  PlatformVendor: 'platformVendors.items',
  PlatformVendorGrouping: 'platformVendors.items.allGroupings',
  Connector: 'connectors.items',
  ConnectorTap: 'connectors.items.taps',
  ConnectorAuthStrategy: 'connectors.items.supportedAuthStrategies',
  InboundAuthStrategy: 'connectors.items.inboundAuthStrategies',
  TenantConnectorInstance: 'tenantConnectorInstances.items',
  SyncJob: 'syncJobs.items',
  CredentialMetadata: 'tenantConnectorInstances.items.credentials',
  TenantConnectorTap: 'tenantConnectorTaps.items',
  Artifact: 'artifacts.items',
  CatalogTable: 'catalogTables.items',
  TableContract: 'catalogTables.items.contracts',
};

/** `args` are the arguments of the root list. */
export function selectionOfParents(type: string, args: string, selection: string): string {
  const [root, ...rest] = (LIST_PARENTS[type] as string).split('.');
  const below = rest.reduceRight((inner, name) => `${name} { ${inner} }`, `id ${selection}`);
  return `${root}(${args}) { ${below} }`;
}

export function parentsIn(type: string, data: Data): Data[] {
  const path = (LIST_PARENTS[type] as string).split('.');
  return path.reduce<Data[]>((objects, name) => objects.flatMap((one) => one[name] ?? []), [data]);
}

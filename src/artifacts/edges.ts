import { TenantConnectorTap } from '../instances/tenant-connector-tap.js';
import type { ListEdge, RowEdge } from '../kernel/entities/list-edge.js';
import type { AccessRule } from '../tenancy/access.js';
import { Artifact } from './artifact.js';

export const artifactLists: readonly ListEdge<AccessRule>[] = [
  {
    ...{ on: Artifact, name: 'taps', of: TenantConnectorTap, by: 'attributedArtifactId', access: 'connectors:read' },
    description: 'Taps published from the file, ordered by name.',
  },
];

export const artifactRows: readonly RowEdge<AccessRule>[] = [
  {
    ...{ on: TenantConnectorTap, name: 'artifact', to: Artifact, by: 'attributedArtifactId', access: 'artifacts:read' },
    description:
      'File that the tap was published from. Null for a tap of a connection, and after the deletion of the file.',
  },
];

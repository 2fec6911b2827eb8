import { checkAddressRules } from './address-rules.js';
import { checkBatchRules } from './batch-rules.js';
import { checkCursorRules } from './cursor-rules.js';
import type {
  ConnectorDefinition,
  DefinitionFault,
  DefinitionPath,
  GroupingDefinition,
  VendorDefinition,
} from './definition.js';
import { checkFieldDiscoveryRules } from './field-discovery-rules.js';
import { checkInboundRules } from './inbound-rules.js';
import { checkParentFilterRules } from './parent-filter-rules.js';
import { checkRecordRules } from './record-rules.js';
import { checkSchemaRules } from './schema-rules.js';
import { checkSecretRules } from './secret-rules.js';
import { checkSignInRules } from './sign-in-rules.js';
import { checkSourceRules } from './source-rules.js';
import { checkStrategyRules } from './strategy-rules.js';
import { checkSyncRules } from './sync-rules.js';
import { checkTapRules } from './tap-rules.js';
import { checkTapSettings } from './tap-setting-rules.js';
import { checkTraversalRules } from './traversal-rules.js';
import { checkVerificationRules } from './verification-rules.js';

type Rule = (vendor: VendorDefinition, fileName: string) => DefinitionFault[];

export const MAX_GROUPING_DEPTH = 8;

/** Rules that JSON Schema cannot express. */
export const definitionRules: readonly Rule[] = [
  checkSlug,
  checkUniqueNames,
  checkGroupings,
  checkFeeds,
  (vendor) => eachConnector(vendor, checkSchemaRules),
  (vendor) => eachConnector(vendor, checkTraversalRules),
  (vendor) => eachConnector(vendor, checkAddressRules),
  (vendor) => eachConnector(vendor, checkStrategyRules),
  (vendor) => eachConnector(vendor, checkSecretRules),
  (vendor) => eachConnector(vendor, checkSignInRules),
  (vendor) => eachConnector(vendor, checkVerificationRules),
  (vendor) => eachConnector(vendor, checkTapRules),
  (vendor) => eachConnector(vendor, checkTapSettings),
  (vendor) => eachConnector(vendor, checkBatchRules),
  (vendor) => eachConnector(vendor, checkCursorRules),
  (vendor) => eachConnector(vendor, checkParentFilterRules),
  (vendor) => eachConnector(vendor, checkSyncRules),
  (vendor) => eachConnector(vendor, checkFieldDiscoveryRules),
  (vendor) => eachConnector(vendor, checkRecordRules),
  (vendor) => eachConnector(vendor, checkInboundRules),
  (vendor) => eachConnector(vendor, checkSourceRules),
];

function eachConnector(
  vendor: VendorDefinition,
  rule: (connector: ConnectorDefinition, path: DefinitionPath) => DefinitionFault[],
): DefinitionFault[] {
  return (vendor.connectors ?? []).flatMap((connector, index) => rule(connector, ['connectors', index]));
}

function checkFeeds({ connectors = [] }: VendorDefinition): DefinitionFault[] {
  const names = new Set(connectors.flatMap(({ taps }) => taps.map(({ name }) => name)));
  const faults = connectors.map(({ taps }, at) =>
    taps.flatMap(({ name, feeds }, index): DefinitionFault[] => {
      if (!feeds || (feeds.tap !== name && names.has(feeds.tap))) return [];
      const path = ['connectors', at, 'taps', index, 'feeds', 'tap'];
      return [
        {
          path,
          rule: 'feed-names-a-tap',
          message: `${name}: feeds.tap is ${feeds.tap}, which is not the name of another tap of the vendor`,
        },
      ];
    }),
  );
  return faults.flat();
}

function checkSlug({ slug }: VendorDefinition, fileName: string): DefinitionFault[] {
  return slug === fileName
    ? []
    : [{ path: ['slug'], rule: 'slug-is-file-name', message: `the slug is ${slug}, but the file is ${fileName}.yaml` }];
}

function checkUniqueNames(vendor: VendorDefinition): DefinitionFault[] {
  const connectors = vendor.connectors ?? [];
  return [
    ...duplicateNameFaults(connectors, 'key', ['connectors']),
    ...connectors.flatMap(({ supportedAuthStrategies, inboundAuthStrategies = [], taps }, index) => [
      ...duplicateNameFaults(supportedAuthStrategies, 'key', ['connectors', index, 'supportedAuthStrategies']),
      ...duplicateNameFaults(inboundAuthStrategies, 'key', ['connectors', index, 'inboundAuthStrategies']),
      ...duplicateNameFaults(taps, 'name', ['connectors', index, 'taps']),
    ]),
    ...checkSiblingNames(vendor.groupings, ['groupings']),
  ];
}

function checkSiblingNames(groupings: GroupingDefinition[], path: DefinitionPath): DefinitionFault[] {
  return [
    ...duplicateNameFaults(groupings, 'slug', path),
    ...groupings.flatMap(({ groupings: children = [] }, index) =>
      checkSiblingNames(children, [...path, index, 'groupings']),
    ),
  ];
}

function duplicateNameFaults<Name extends string>(
  parts: readonly Record<Name, string>[],
  name: Name,
  path: DefinitionPath,
): DefinitionFault[] {
  return parts.flatMap((part, index) =>
    parts.findIndex((other) => other[name] === part[name]) === index
      ? []
      : [
          {
            path: [...path, index, name],
            rule: 'named-once',
            message: `${part[name]} is defined more than once in ${path.at(-1)}`,
          },
        ],
  );
}

function checkGroupings(vendor: VendorDefinition): DefinitionFault[] {
  const keys = new Set(vendor.connectors?.map(({ key }) => key));
  const offered = new Set<string>();
  const faults: DefinitionFault[] = [];
  const visit = (grouping: GroupingDefinition, path: DefinitionPath, depth: number): void => {
    const { slug, connector, strategiesOf, groupings = [] } = grouping;
    const fault = (rule: string, message: string) => faults.push({ path, rule, message });
    if (depth > MAX_GROUPING_DEPTH)
      fault('grouping-depth', `${slug} is nested more than ${MAX_GROUPING_DEPTH} levels deep`);
    if (groupings.length && connector)
      fault('leaf-offers-connector', `${slug} contains groupings, so it cannot offer a connector`);
    if (!groupings.length && !connector && grouping.releaseStage !== 'planned') {
      fault('leaf-offers-connector', `${slug} is a leaf without a connector. Set connector, or releaseStage: planned`);
    }
    if (connector && !keys.has(connector))
      fault('connector-exists', `${slug} offers the connector ${connector}, which this file does not define`);
    if (strategiesOf && (groupings.length || connector))
      fault('planned-strategies', `${slug} has strategiesOf, which only leaves without a connector may have`);
    if (strategiesOf && !keys.has(strategiesOf))
      fault(
        'connector-exists',
        `strategiesOf of ${slug} names the connector ${strategiesOf}, which this file does not define`,
      );
    if (connector) offered.add(connector);
    for (const [index, child] of groupings.entries()) visit(child, [...path, 'groupings', index], depth + 1);
  };
  for (const [index, grouping] of vendor.groupings.entries()) visit(grouping, ['groupings', index], 1);
  vendor.connectors?.forEach(({ key }, index) => {
    if (offered.has(key)) return;
    faults.push({
      path: ['connectors', index, 'key'],
      rule: 'connector-is-offered',
      message: `no grouping offers the connector ${key}`,
    });
  });
  return faults;
}

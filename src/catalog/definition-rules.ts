import type { ConnectorDefinition, Fault, GroupingDefinition, Path, VendorDefinition } from './definition.js';
import { addressRules } from './definition-address-rules.js';
import { cursorRules } from './definition-cursor-rules.js';
import { inboundRules } from './definition-inbound-rules.js';
import { schemaRules } from './definition-schema-rules.js';
import { secretRules } from './definition-secret-rules.js';
import { strategyRules } from './definition-strategy-rules.js';
import { tapRules } from './definition-tap-rules.js';
import { traversalRules } from './definition-traversal-rules.js';
import { verificationRules } from './definition-verification-rules.js';

type Rule = (vendor: VendorDefinition, fileName: string) => Fault[];

export const GROUPING_DEPTH_MAX = 8;

/** What a JSON Schema cannot say about a definition. */
export const definitionRules: readonly Rule[] = [
  slugIsFileName,
  partsAreNamedOnce,
  groupingsOfferConnectors,
  (vendor) => eachConnector(vendor, schemaRules),
  (vendor) => eachConnector(vendor, traversalRules),
  (vendor) => eachConnector(vendor, addressRules),
  (vendor) => eachConnector(vendor, strategyRules),
  (vendor) => eachConnector(vendor, secretRules),
  (vendor) => eachConnector(vendor, verificationRules),
  (vendor) => eachConnector(vendor, tapRules),
  (vendor) => eachConnector(vendor, cursorRules),
  (vendor) => eachConnector(vendor, inboundRules),
];

function eachConnector(
  vendor: VendorDefinition,
  rule: (connector: ConnectorDefinition, path: Path) => Fault[],
): Fault[] {
  return (vendor.connectors ?? []).flatMap((connector, index) => rule(connector, ['connectors', index]));
}

function slugIsFileName({ slug }: VendorDefinition, fileName: string): Fault[] {
  return slug === fileName
    ? []
    : [{ path: ['slug'], rule: 'slug-is-file-name', message: `the slug is ${slug}, the file ${fileName}.yaml` }];
}

function partsAreNamedOnce(vendor: VendorDefinition): Fault[] {
  const connectors = vendor.connectors ?? [];
  return [
    ...namedOnce(connectors, 'key', ['connectors']),
    ...connectors.flatMap(({ supportedAuthStrategies, inboundAuthStrategies = [], taps }, index) => [
      ...namedOnce(supportedAuthStrategies, 'key', ['connectors', index, 'supportedAuthStrategies']),
      ...namedOnce(inboundAuthStrategies, 'key', ['connectors', index, 'inboundAuthStrategies']),
      ...namedOnce(taps, 'name', ['connectors', index, 'taps']),
    ]),
    ...siblingsAreNamedOnce(vendor.groupings, ['groupings']),
  ];
}

function siblingsAreNamedOnce(groupings: GroupingDefinition[], path: Path): Fault[] {
  return [
    ...namedOnce(groupings, 'slug', path),
    ...groupings.flatMap(({ groupings: children = [] }, index) =>
      siblingsAreNamedOnce(children, [...path, index, 'groupings']),
    ),
  ];
}

function namedOnce<Name extends string>(parts: readonly Record<Name, string>[], name: Name, path: Path): Fault[] {
  return parts.flatMap((part, index) =>
    parts.findIndex((other) => other[name] === part[name]) === index
      ? []
      : [{ path: [...path, index, name], rule: 'named-once', message: `${part[name]} stands twice in ${path.at(-1)}` }],
  );
}

function groupingsOfferConnectors(vendor: VendorDefinition): Fault[] {
  const keys = new Set(vendor.connectors?.map(({ key }) => key));
  const offered = new Set<string>();
  const faults: Fault[] = [];
  const visit = (grouping: GroupingDefinition, path: Path, depth: number): void => {
    const { slug, connector, strategiesOf, groupings = [] } = grouping;
    const fault = (rule: string, message: string) => faults.push({ path, rule, message });
    if (depth > GROUPING_DEPTH_MAX)
      fault('grouping-depth', `${slug} stands more than ${GROUPING_DEPTH_MAX} levels deep`);
    if (groupings.length && connector)
      fault('leaf-offers-connector', `${slug} has groupings below it and cannot offer a connector`);
    if (!groupings.length && !connector && grouping.releaseStage !== 'planned') {
      fault('leaf-offers-connector', `${slug} is a leaf and offers no connector; only a planned one may`);
    }
    if (connector && !keys.has(connector))
      fault('connector-exists', `${slug} offers ${connector}, which is not defined here`);
    if (strategiesOf && (groupings.length || connector))
      fault('planned-strategies', `${slug} names strategiesOf, which is for planned leaves without a connector`);
    if (strategiesOf && !keys.has(strategiesOf))
      fault('connector-exists', `${slug} has the strategies of ${strategiesOf}, which is not defined here`);
    if (connector) offered.add(connector);
    for (const [index, child] of groupings.entries()) visit(child, [...path, 'groupings', index], depth + 1);
  };
  for (const [index, grouping] of vendor.groupings.entries()) visit(grouping, ['groupings', index], 1);
  vendor.connectors?.forEach(({ key }, index) => {
    if (offered.has(key)) return;
    faults.push({
      path: ['connectors', index, 'key'],
      rule: 'connector-is-offered',
      message: `no grouping offers ${key}`,
    });
  });
  return faults;
}

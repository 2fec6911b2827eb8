import type { AddressingConfig } from './addressing-config.js';
import type { ConnectorDefinition, Fault, GroupingDefinition, VendorDefinition } from './definition.js';
import { inboundRules } from './definition-inbound-rules.js';
import { schemaRules } from './definition-schema-rules.js';
import { secretRules } from './definition-secret-rules.js';
import { connectorFields, strategyRules } from './definition-strategy-rules.js';
import { tapRules } from './definition-tap-rules.js';
import { verificationRules } from './definition-verification-rules.js';
import { templateVariables } from './template-variables.js';

/** What a JSON Schema cannot say about a definition, rule by rule. */
type Path = readonly (string | number)[];
type Rule = (vendor: VendorDefinition, fileName: string) => Fault[];

export const GROUPING_DEPTH_MAX = 8;

export const definitionRules: readonly Rule[] = [
  slugIsFileName,
  partsAreNamedOnce,
  groupingsOfferConnectors,
  (vendor) => eachConnector(vendor, schemaRules),
  (vendor) => eachConnector(vendor, traversalNamesTaps),
  (vendor) => eachConnector(vendor, addressesAreComplete),
  (vendor) => eachConnector(vendor, strategyRules),
  (vendor) => eachConnector(vendor, secretRules),
  (vendor) => eachConnector(vendor, verificationRules),
  (vendor) => eachConnector(vendor, tapRules),
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
    const { slug, connector, groupings = [] } = grouping;
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

function traversalNamesTaps({ taps, traversal, ...connector }: ConnectorDefinition, path: Path): Fault[] {
  if (!traversal) return [];
  const names = new Set(taps.map(({ name }) => name));
  const faults: Fault[] = [];
  const edges = traversal.edges ?? [];
  const reached = new Set(traversal.rootTaps);
  traversal.rootTaps.forEach((name, index) => {
    const at = [...path, 'traversal', 'rootTaps', index];
    if (!names.has(name)) faults.push({ path: at, rule: 'traversal-names-taps', message: `there is no tap ${name}` });
    if (edges.some(({ to }) => to === name))
      faults.push({ path: at, rule: 'roots-have-no-parent', message: `${name} is a root and has a parent` });
  });
  edges.forEach(({ from, to }, index) => {
    for (const [end, name] of Object.entries({ from, to })) {
      if (names.has(name)) continue;
      faults.push({
        path: [...path, 'traversal', 'edges', index, end],
        rule: 'traversal-names-taps',
        message: `there is no tap ${name}`,
      });
    }
  });
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const { from, to } of edges) if (reached.has(from)) reached.add(to);
  }
  taps.forEach(({ name, sync }, index) => {
    if (reached.has(name) || sync.mode === 'push') return;
    faults.push({
      path: [...path, 'taps', index, 'name'],
      rule: 'taps-are-reached',
      message: `${name} is neither a root nor below one`,
    });
  });
  const fields = connectorFields({ taps, ...connector });
  traversal.configFanouts?.forEach(({ configField }, index) => {
    if (fields.has(configField)) return;
    const at = [...path, 'traversal', 'configFanouts', index, 'configField'];
    faults.push({ path: at, rule: 'fanout-field-exists', message: `no schema has the field ${configField}` });
  });
  return faults;
}

/** Every variable in a template is declared, every declared one is used, and one that the user supplies is asked for. */
function addressesAreComplete(connector: ConnectorDefinition, path: Path): Fault[] {
  return [
    ...addressFaults(connector.addressingConfig, connectorFields(connector), [...path, 'addressingConfig']),
    ...connector.supportedAuthStrategies.flatMap((strategy, index) =>
      addressFaults(strategy.addressingConfig, connectorFields(connector, strategy), [
        ...path,
        'supportedAuthStrategies',
        index,
        'addressingConfig',
      ]),
    ),
  ];
}

function addressFaults(address: AddressingConfig | undefined, fields: ReadonlySet<string>, path: Path): Fault[] {
  if (!address) return [];
  const { scheme = '', host = '', basePath = '', variables = [] } = address;
  const used = new Set(templateVariables(scheme + host + basePath));
  const faults: Fault[] = [];
  for (const name of used) {
    if (variables.some((variable) => variable.name === name)) continue;
    faults.push({ path, rule: 'address-variable-declared', message: `{${name}} is not among the variables` });
  }
  variables.forEach(({ name, source, oauthResponsePath }, index) => {
    const at = [...path, 'variables', index, 'name'];
    if (!used.has(name))
      faults.push({ path: at, rule: 'address-variable-used', message: `no template uses {${name}}` });
    if (source === 'user_input' && !fields.has(name)) {
      faults.push({ path: at, rule: 'address-variable-asked-for', message: `no schema asks the user for ${name}` });
    }
    if (source === 'oauth_response' && !oauthResponsePath) {
      faults.push({
        path: at,
        rule: 'address-variable-path',
        message: `${name} comes from the token reply and names no oauthResponsePath`,
      });
    }
  });
  return faults;
}

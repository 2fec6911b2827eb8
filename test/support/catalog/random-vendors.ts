import type { GroupingDefinition, VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import {
  aConfigSchema,
  aConnector,
  aGrouping,
  anInboundStrategy,
  aStrategy,
  aTap,
  aVendor,
} from './definition-builders.js';

/** Every optional field has a value. */
export function aFullVendor(): VendorDefinition {
  const json = { z: 1, a: [{ b: null }] };
  const sources = [
    { document: 'Acme API reference', checkedAt: '2026-01-31' },
    { repository: 'acme/openapi', path: 'v1.yaml', checkedAt: '2026-01-31' },
  ];
  const sourced = { sources, unverified: ['description'] };
  const tap = aTap({
    description: 'Issues',
    customFields: { captureUnknownFields: true },
    dataKind: 'snapshot',
    deletionSemantics: 'by_tombstone',
    enabledSince: '2024-02-29T12:00:00.123+05:30',
    extractionHook: 'x',
    objectName: 'Issue',
    parentContextFields: [{ sourceField: 'a', targetField: 'b' }],
    perParentAuth: { method: 'x' },
    qualityConfig: {},
    rateLimitOverride: { requestsPerSecond: 0.1 },
    rateLimits: { requestsPerSecond: 1.5 },
    requestHook: 'x',
    retentionPolicy: { retentionDays: 1 },
    skipOnHttpStatus: [404, 410],
    tombstoneMarkerColumn: 'deleted',
    ...sourced,
  });
  const strategy = aStrategy({
    ingestionConfigSchema: json,
    addressingConfig: { host: 'acme.test' },
    defaultBaseUrl: 'https://acme.test',
    defaultScopes: ['read', 'a'],
    delegatedUserField: 'token',
    docs: '# Docs\n\nÄ 😀 \\ \' "',
    extraHeaders: { Accept: '*/*' },
    hook: 'x',
    apiKeyConfig: { headerName: 'X' },
    basicConfig: { usernameField: 'token' },
    preEncodedBasicConfig: { tokenField: 'token' },
    oauth2Config: { tokenEndpoint: 'https://acme.test' },
    sources,
    unverified: ['verification.url'],
  });
  const inbound = anInboundStrategy({
    label: 'Hook',
    configSchema: json,
    replayWindowSeconds: 300,
    signatureBase: '{body}',
    signatureHeader: 'X-Signature',
    timestampHeader: 'X-Time',
    signatureFormat: { encoding: 'base64', prefix: 'v0=', timestampUnit: 'iso8601', idHeader: 'X-Id' },
    sources,
    unverified: ['replayWindowSeconds'],
  });
  const connector = aConnector({
    description: 'All of it',
    apiVersion: '1',
    addressingConfig: { host: 'acme.test' },
    traversal: { rootTaps: ['issues', 'second'] },
    ingestionConfigSchema: json,
    rateLimits: { requestsPerSecond: 1 },
    concurrencyTagTemplate: '{tap}',
    timeoutSeconds: 10,
    fieldDiscovery: {},
    effortMetadata: json,
    setupDocumentation: '# Setup',
    ...sourced,
    supportedAuthStrategies: [strategy, { ...strategy, key: 'second' }],
    inboundAuthStrategies: [inbound, { ...inbound, key: 'second' }],
    taps: [tap, { ...tap, name: 'second' }],
  });
  const leaf = aGrouping({
    description: 'Issues',
    docs: '# Docs',
    priority: 'required',
    sortOrder: 7,
    externalVersion: '1',
    platformVersion: '2',
    logo: json,
  });
  return aVendor({
    description: 'Things',
    logo: json,
    connectors: [connector, { ...connector, key: 'second' }],
    groupings: [leaf, aGrouping({ slug: 'node', groupings: [{ ...leaf, connector: 'second' }] })],
  });
}

export function aRandomVendor(random: () => number): VendorDefinition {
  const some = (names: string[]): string[] => names.filter(() => random() < 0.6).sort(() => random() - 0.5);
  const maybe = (): string | undefined => (random() < 0.5 ? `${Math.floor(random() * 3)}` : undefined);
  const connectors = some(['main', 'b', 'c']).map((key) =>
    aConnector({
      key,
      description: maybe(),
      integrationClass: random() < 0.5 ? 'file' : undefined,
      ingestionConfigSchema: random() < 0.5 ? aConfigSchema({ [key]: {} }) : undefined,
      supportedAuthStrategies: some(['x', 'y', 'z']).map((key) => aStrategy({ key, docs: maybe() })),
      inboundAuthStrategies: some(['x', 'y']).map((key) => anInboundStrategy({ key, label: maybe() })),
      taps: some(['x', 'y', 'z']).map((name) => aTap({ name, description: maybe() })),
    }),
  );
  const tree = (levels: number): GroupingDefinition[] =>
    some(['x', 'y', 'z']).map((slug) => {
      const groupings = levels > 1 ? tree(levels - 1) : [];
      const connector = connectors[Math.floor(random() * 4)]?.key;
      return aGrouping({ slug, groupings, docs: maybe(), connector: groupings.length ? undefined : connector });
    });
  return aVendor({ description: maybe(), connectors, groupings: tree(3) });
}

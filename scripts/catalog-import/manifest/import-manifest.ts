import type { ConnectorDefinition, VendorDefinition } from '../../../src/catalog/definitions/definition.js';
import { addressOf } from '../address.js';
import { draftVendor, PLACEHOLDER_BASE_URL, sourceOf } from '../draft.js';
import { localReferences } from '../local-references.js';
import type { Notes } from '../notes.js';
import { withParentFields } from '../openapi/child-taps.js';
import { placeholderStrategy } from '../openapi/strategies.js';
import { withVerification } from '../openapi/verification.js';
import type { SourceFile } from '../source-file.js';
import { readAuthenticators } from './authenticators.js';
import { Component } from './component.js';
import { ConfigFields } from './config-fields.js';
import { type ManifestStream, readStreams } from './manifest-stream.js';
import { readPartitions } from './partitions.js';
import { draftStream } from './streams.js';

type Address = Pick<ConnectorDefinition, 'defaultBaseUrl' | 'addressingConfig' | 'ingestionConfigSchema'>;

/** A low-code manifest has `type: DeclarativeSource`. */
export function importManifest(
  { name: file, root }: SourceFile,
  slug: string,
  name: string,
  notes: Notes,
): VendorDefinition {
  const { resolve } = localReferences(root);
  const manifest = Component.of(root, resolve, '#');
  const streams = readStreams(manifest);
  const fields = new ConfigFields(manifest, notes);
  const traversal = readPartitions(streams, notes);
  const address = readAddress(streams, fields, notes);
  const taps = withParentFields(
    streams.map((stream) => draftStream(stream, { file, resolve, fields, notes })),
    traversal?.edges ?? [],
  );
  const authenticators = streams.flatMap(({ requester }) => requester?.child('authenticator') ?? []);
  const strategies = readAuthenticators(authenticators, file, notes);
  const first = taps.find(({ name: tap }) => traversal?.rootTaps.includes(tap) ?? true);
  if (taps.length === 0) notes.todo('connector', '#/streams', 'add taps; the file has no streams');
  const ingestionConfigSchema = mergedSchema(address, fields);
  return draftVendor(slug, name, {
    ...address,
    ...(ingestionConfigSchema && { ingestionConfigSchema }),
    supportedAuthStrategies: withVerification(
      strategies.length > 0 ? strategies : [placeholderStrategy(notes)],
      [],
      first?.transportOptions[0]?.restConfig?.endpoint,
    ),
    taps,
    ...(traversal && { traversal }),
    sources: sourceOf(file),
  });
}

/** Adds a note for each stream whose base URL differs from the base URL of the first stream. */
function readAddress(streams: readonly ManifestStream[], fields: ConfigFields, notes: Notes): Address {
  const bases = streams.flatMap(({ tapName, requester }) => {
    const url = requester?.text('url_base') ?? requester?.text('url');
    return url === undefined ? [] : [{ url, tapName, pointer: requester?.pointer ?? '#' }];
  });
  const [first] = bases;
  for (const { url, tapName, pointer } of bases)
    if (url !== first?.url)
      notes.todo(
        `tap ${tapName}`,
        pointer,
        'correct the URL; the draft uses the base URL of the first stream for all streams',
      );
  const template = first && fields.convert(first.url, 'connector', first.pointer)?.text.replace(/\/+$/, '');
  if (first && template && /^https?:\/\/[^/]/.test(template)) return addressOf(template, first.pointer, notes);
  notes.todo('connector', first?.pointer ?? '#', 'set defaultBaseUrl; the file has no usable base URL');
  return { defaultBaseUrl: PLACEHOLDER_BASE_URL };
}

function mergedSchema({ ingestionConfigSchema }: Address, fields: ConfigFields): Record<string, unknown> | undefined {
  const properties = { ...fields.properties, ...(ingestionConfigSchema?.properties as object | undefined) };
  const names = Object.keys(properties);
  if (names.length === 0) return undefined;
  return { type: 'object', additionalProperties: false, properties, required: names };
}

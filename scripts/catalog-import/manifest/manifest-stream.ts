import { toSnakeCase, uniqueName } from '../names.js';
import type { Component } from './component.js';

export interface ManifestStream {
  readonly name: string;
  readonly tapName: string;
  readonly stream: Component;
  readonly requester?: Component;
  readonly retriever?: Component;
}

export function readStreams(manifest: Component): ManifestStream[] {
  const taken = new Set<string>();
  return manifest.children('streams').map((stream) => {
    const name = stream.text('name') ?? 'stream';
    const retriever = stream.child('retriever');
    const requester = retriever?.child('requester');
    return { name, tapName: uniqueName(toSnakeCase(name), taken, '_'), stream, retriever, requester };
  });
}

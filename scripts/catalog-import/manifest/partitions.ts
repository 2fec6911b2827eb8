import type { Traversal } from '../../../src/catalog/model/traversal.js';
import { toSnakeCase, toVariable } from '../names.js';
import type { Notes } from '../notes.js';
import type { ManifestStream } from './manifest-stream.js';

/** Converts the partition routers of the streams to child taps and fan-outs. */
export function readPartitions(streams: readonly ManifestStream[], notes: Notes): Traversal | undefined {
  const edges: NonNullable<Traversal['edges']> = [];
  const staticFanouts: NonNullable<Traversal['staticFanouts']> = [];
  for (const { tapName, retriever } of streams) {
    const single = retriever?.child('partition_router');
    for (const router of single ? [single] : (retriever?.children('partition_router') ?? [])) {
      const part = `tap ${tapName}`;
      const values = router.value('values');
      const field = router.text('cursor_field');
      if (router.type === 'ListPartitionRouter' && Array.isArray(values) && field) {
        const templateVariable = toVariable(field);
        if (staticFanouts.every((one) => one.templateVariable !== templateVariable))
          staticFanouts.push({ templateVariable, values: values.map(String), targetField: field });
        continue;
      }
      const parents = router.type === 'SubstreamPartitionRouter' ? router.children('parent_stream_configs') : [];
      const known = parents.flatMap((parent) => {
        const from = streams.find(({ name }) => name === parent.child('stream')?.text('name'))?.tapName;
        const [key, name] = [parent.text('parent_key'), parent.text('partition_field')];
        return from && from !== tapName && key && name ? [{ from, key, name }] : [];
      });
      if (known.length === 0 || known.length < parents.length)
        notes.todo(part, router.pointer, `set traversal; the command cannot convert ${router.type || 'this router'}`);
      for (const { from, key, name } of known)
        edges.push({
          from,
          to: tapName,
          parentKeyField: key,
          templateVariable: toVariable(name),
          parentContextFields: [{ sourceField: key, targetField: name === 'id' ? `${toSnakeCase(from)}_id` : name }],
        });
    }
  }
  if (edges.length === 0 && staticFanouts.length === 0) return undefined;
  const rootTaps = streams.map(({ tapName }) => tapName).filter((name) => edges.every(({ to }) => to !== name));
  return { rootTaps, ...(staticFanouts.length > 0 && { staticFanouts }), ...(edges.length > 0 && { edges }) };
}

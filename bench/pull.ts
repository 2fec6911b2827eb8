import 'reflect-metadata';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureDueSyncs } from './pull/measure-due-syncs.js';
import { measureLatency } from './pull/measure-latency.js';
import { measureLimits } from './pull/measure-limits.js';
import { measureMemory } from './pull/measure-memory.js';
import { measureThroughput } from './pull/measure-throughput.js';
import { PullBench } from './pull/pull-bench.js';

const SECTIONS = {
  limits: measureLimits,
  throughput: measureThroughput,
  memory: measureMemory,
  due: measureDueSyncs,
  latency: measureLatency,
};

const { values, positionals } = parseArgs({ options: { full: { type: 'boolean' } }, allowPositionals: true });
const names = positionals.length > 0 ? positionals : Object.keys(SECTIONS);
for (const name of names)
  if (!Object.hasOwn(SECTIONS, name)) throw new Error(`The sections are ${Object.keys(SECTIONS).join(', ')}.`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => PullBench.closeAll().finally(() => process.exit(1)));
console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), 127.0.0.1`);
for (const name of names) await SECTIONS[name as keyof typeof SECTIONS](values.full ?? false);

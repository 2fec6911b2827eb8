import { readdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { parseCLI } from 'vitest/node';

// Maps paths such as `test/unit/csv` to compiled files. Rejects a path without tests, which Vitest would ignore.
const project = resolve(import.meta.dirname, '..');
const files = readdirSync(join(project, 'dist/test'), { recursive: true }).map((file) => join('test', file));
// All test processes share the compile cache, because each process loads 2,500 modules.
process.env.NODE_COMPILE_CACHE = join(project, 'node_modules/.cache/node');
enableCompileCache(process.env.NODE_COMPILE_CACHE);

const compiled = (path) => relative(project, resolve(path)).replace(/(\.test)?\.ts$/, '.test.js');

const args = process.argv.slice(2);
const { filter } = parseCLI(['vitest', 'run', ...args]);
const unknown = filter.find(
  (path) => !files.some((file) => file.endsWith('.test.js') && file.includes(compiled(path))),
);
if (unknown !== undefined) {
  console.error(`No test file matches ${unknown}.`);
  process.exit(1);
}
// Only a run of all tests uses bundled programs. Other runs start the services from separate modules, as in production.
if (filter.length === 0 && !process.env.SOAK) process.env.BUNDLED_PROGRAMS = join(project, 'dist/bundled');
process.argv.splice(2, args.length, 'run', ...args.map((arg) => (filter.includes(arg) ? compiled(arg) : arg)));
await import('../node_modules/vitest/vitest.mjs');

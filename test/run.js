import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';

// `npm test -- test/unit/csv test/process/main`: Vitest runs compiled files and would ignore a path that matches none of them.
const project = resolve(import.meta.dirname, '..');
const files = readdirSync(join(project, 'dist/test'), { recursive: true }).map((file) => join('test', file));
const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const paths = filter.map((path) => relative(project, resolve(path)).replace(/(\.test)?\.ts$/, '.test'));
const unknown = paths.find((path) => !files.some((file) => file.endsWith('.test.js') && file.includes(path)));
if (unknown !== undefined) {
  console.error(`No test file matches ${unknown}.`);
  process.exit(1);
}
const run = await startVitest('test', paths, options);
await run.exit();

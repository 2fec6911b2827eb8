import { spawn } from 'node:child_process';

// The two lists run at the same time, because `tsc` takes as long on one core as all other commands together.
const LISTS = [
  ['tsc', 'node scripts/generate-console-types.js && tsc -p console/tsconfig.json'],
  [
    'biome check .',
    'npm run --silent build:code',
    'node --enable-source-maps dist/scripts/generate.js',
    'git diff --exit-code -- schema catalog/definition.schema.json docs/catalog.md',
    'npm run --silent check:openapi',
    'node --enable-source-maps dist/scripts/check-prose.js',
    'node --enable-source-maps dist/scripts/check-rows.js',
  ],
];

/**
 * Prints the output of a command only after the command ends, so that the outputs of the two lists do not mix. Returns
 * whether all commands succeeded.
 */
async function run([command, ...others]) {
  const { status, output } = await new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('close', (status) => resolve({ status, output: Buffer.concat(chunks) }));
  });
  process.stdout.write(output);
  if (status !== 0) console.error(`${command} failed`);
  return status === 0 && (others.length === 0 || run(others));
}

const succeeded = await Promise.all(LISTS.map(run));
process.exitCode = succeeded.every(Boolean) ? 0 : 1;

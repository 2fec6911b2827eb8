import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const soaks = JSON.parse(readFileSync(new URL('soaks.json', import.meta.url), 'utf8'));

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(soaks, name));
if (unknown !== undefined) {
  console.error(`${unknown} is not a soak test. Available:`);
  for (const [name, { proves }] of Object.entries(soaks)) console.error(`  ${name.padEnd(10)} ${proves}`);
  process.exit(1);
}

const files = (names.length ? names : Object.keys(soaks)).flatMap((name) => soaks[name].files);
const { status } = spawnSync(process.execPath, ['test/run.js', ...files], {
  stdio: 'inherit',
  env: { ...process.env, SOAK: '1' },
});
process.exit(status ?? 1);

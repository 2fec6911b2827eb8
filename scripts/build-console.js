import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { generateConsoleTypes } from './generate-console-types.js';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'console');
const STAMP = join(FOLDER, 'dist/.inputs');

const inputs = hashInputs();
if (readStamp() !== inputs) {
  await generateConsoleTypes();
  await build({ root: FOLDER, configFile: join(FOLDER, 'vite.config.ts'), logLevel: 'warn' });
  writeFileSync(STAMP, inputs);
}

function readStamp() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

function hashInputs() {
  const sources = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(FOLDER, 'dist')) && !file.startsWith(join(FOLDER, 'src/gql')));
  const others = ['schema/schema.graphql', 'package-lock.json', 'scripts/build-console.js'];
  const hash = createHash('sha256');
  for (const file of [...sources.sort(), ...others.map((name) => join(ROOT, name))])
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

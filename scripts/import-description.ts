import 'reflect-metadata';
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { DefinitionError, parseDefinition } from '../src/catalog/definitions/read-definitions.js';
import { isSlug } from '../src/catalog/definitions/slug-pattern.js';
import { formatDraft } from './catalog-import/format-draft.js';
import { importDescription } from './catalog-import/import-description.js';

const USAGE = 'Usage: npm run catalog:import -- FILE [--slug SLUG] [--out FILE]';

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { slug: { type: 'string' }, out: { type: 'string' } },
  });
  const [file, ...more] = positionals;
  if (!file || more.length > 0) throw new TypeError('FILE is required.');
  const slug = values.slug ?? (values.out && basename(values.out, '.yaml'));
  if (slug !== undefined && !isSlug(slug))
    throw new TypeError(`${values.slug ? '--slug' : 'The name of --out'} is not a slug such as acme-shop.`);
  process.exitCode = writeDraft(file, slug, values.out);
} catch (error) {
  console.error((error as Error).message);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}

/** Returns the exit code: 1 if the draft is invalid. */
function writeDraft(file: string, slug: string | undefined, out: string | undefined): number {
  const { vendor, notes } = importDescription(file, slug);
  const target = out ?? `${vendor.slug}.yaml`;
  if (existsSync(target)) throw new Error(`${target} already exists. Choose a different --out.`);
  const text = formatDraft(vendor, basename(file));
  writeFileSync(target, text);
  for (const note of notes) console.log(note);
  const [connector] = vendor.connectors ?? [];
  const counts = `${connector?.supportedAuthStrategies.length} strategies, ${connector?.taps.length} taps`;
  console.log(`Wrote ${target}: ${counts}, ${notes.length} notes.`);
  try {
    parseDefinition(text, target);
    return 0;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    for (const fault of error.faults) console.error(fault);
    return 1;
  }
}

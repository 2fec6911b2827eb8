import 'reflect-metadata';
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { parseDefinition } from '../src/catalog/definitions/read-definitions.js';
import { isSlug } from '../src/catalog/definitions/slug-pattern.js';
import { formatDraft } from './catalog-import/format-draft.js';
import { importDescription } from './catalog-import/import-description.js';
import { printDefinitionFaults } from './print-definition-faults.js';

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
    throw new TypeError(
      `${values.slug ? 'The value of --slug' : 'The file name in --out'} must be a slug, such as acme-shop.`,
    );
  await writeDraft(file, slug, values.out);
} catch (error) {
  console.error((error as Error).message);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}

async function writeDraft(file: string, slug: string | undefined, out: string | undefined): Promise<void> {
  const { vendor, notes } = importDescription(file, slug);
  const target = out ?? `${vendor.slug}.yaml`;
  if (existsSync(target)) throw new Error(`${target} already exists. Choose a different --out.`);
  const text = formatDraft(vendor, basename(file));
  writeFileSync(target, text);
  for (const note of notes) console.log(note);
  const [connector] = vendor.connectors ?? [];
  const counts = `${connector?.supportedAuthStrategies.length} strategies, ${connector?.taps.length} taps`;
  console.log(`Wrote ${target}: ${counts}, ${notes.length} notes.`);
  await printDefinitionFaults(() => parseDefinition(text, target));
}

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isSlug } from '../src/catalog/definitions/slug-pattern.js';
import { PROJECT_ROOT } from '../src/kernel/project-root.js';
import { letterLogo } from './new-vendor/letter-logo.js';
import { vendorTemplate } from './new-vendor/vendor-template.js';

const USAGE = 'Usage: npm run vendor:new -- SLUG --name NAME [--folder FOLDER]';
const MAX_NAME_LENGTH = 100;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, folder: { type: 'string' } },
  });
  const [slug, ...more] = positionals;
  const name = values.name?.trim();
  if (!slug || !name || more.length > 0) throw new TypeError('Exactly one SLUG is required, and --name is required.');
  createVendor(slug, name, values.folder ?? join(PROJECT_ROOT, 'catalog'));
} catch (error) {
  console.error((error as Error).message);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}

function createVendor(slug: string, name: string, catalog: string): void {
  if (!isSlug(slug))
    throw new TypeError(
      'SLUG has at most 64 characters: a-z, 0-9, and single hyphens between them, such as acme-shop.',
    );
  if (name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name))
    throw new TypeError(`--name has at most ${MAX_NAME_LENGTH} characters, and no control characters.`);
  const folder = join(catalog, slug);
  if (existsSync(folder)) throw new Error(`${folder} already exists.`);
  mkdirSync(folder, { recursive: true });
  const hasServedLogo = resolve(catalog) === join(PROJECT_ROOT, 'catalog');
  const file = join(folder, `${slug}.yaml`);
  writeFileSync(file, vendorTemplate({ slug, name, hasServedLogo }));
  writeFileSync(join(folder, `${slug}.svg`), letterLogo(name));
  console.log(`Created ${file} and ${slug}.svg.`);
}

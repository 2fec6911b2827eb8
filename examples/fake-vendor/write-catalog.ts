import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const DEFINITION = new URL('./catalog/fake-shop.yaml', import.meta.url);
const ORIGIN = 'http://127.0.0.1:4010';

/** Writes the definition of the fake vendor, with the base URL `origin`, to a folder for `CATALOG_DIR`. */
export async function writeCatalog(folder: string, origin: string): Promise<void> {
  const definition = await readFile(DEFINITION, 'utf8');
  await writeFile(join(folder, 'fake-shop.yaml'), definition.replaceAll(ORIGIN, origin));
}

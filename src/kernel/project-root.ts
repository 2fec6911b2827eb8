import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

const PACKAGE_JSON = findPackageJSON('..', import.meta.url) as string;

/** The folder of package.json, which is the same for the sources and for the compiled output. */
export const PROJECT_ROOT = dirname(PACKAGE_JSON);

export const VERSION: string = JSON.parse(readFileSync(PACKAGE_JSON, 'utf8')).version;

import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** The folder of package.json, from the sources as from the compiled copy. */
export const PROJECT_ROOT = dirname(findPackageJSON('..', import.meta.url) as string);

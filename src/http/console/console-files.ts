import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PROJECT_ROOT } from '../../kernel/project-root.js';

const FOLDER = join(PROJECT_ROOT, 'console/dist');

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

export interface ConsoleFile {
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

export interface ConsoleFiles {
  readonly page: string;
  readonly assets: readonly ConsoleFile[];
}

/** Returns undefined if the operator has not built the console. */
export function readConsoleFiles(): ConsoleFiles | undefined {
  try {
    const assets = readdirSync(join(FOLDER, 'assets'))
      .filter((name) => MEDIA_TYPES[extname(name)])
      .map((name) => ({
        path: `/assets/${name}`,
        type: MEDIA_TYPES[extname(name)] as string,
        body: readFileSync(join(FOLDER, 'assets', name)),
      }));
    return { page: readFileSync(join(FOLDER, 'index.html'), 'utf8'), assets };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

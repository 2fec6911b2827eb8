import { StartupError } from './kernel/startup-error.js';
import { LocalKeyError } from './tenancy/authentication/local-issuer.js';

/** For a step of the start that keeps something below `DATA_DIR`: what the disk refuses, or a key that is none, is told in one line. */
export function rethrowDataDirError(folder: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error instanceof LocalKeyError) throw new StartupError(error.message);
    throw error.syscall ? new StartupError(`DATA_DIR: nothing can be kept in ${folder} (${error.code})`) : error;
  };
}

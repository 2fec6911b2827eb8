import { StartupError } from './kernel/startup-error.js';
import { LocalKeyError } from './tenancy/authentication/local-issuer.js';

/**
 * Returns a handler for start steps that store data below `DATA_DIR`. For a file system error or an invalid key, the
 * handler throws an error with a message of one line.
 */
export function rethrowDataDirError(folder: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error instanceof LocalKeyError) throw new StartupError(error.message);
    throw error.syscall ? new StartupError(`DATA_DIR: data cannot be stored in ${folder} (${error.code})`) : error;
  };
}

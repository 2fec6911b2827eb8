import { StartupError } from './kernel/startup-error.js';
import { LocalKeyError } from './tenancy/authentication/local-issuer.js';

/**
 * Handles errors that occur at start-up when the service stores data in `DATA_DIR`. Converts a file system error or an
 * invalid key to a `StartupError` with a message of one line. Rethrows other errors.
 */
export function rethrowDataDirError(folder: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error instanceof LocalKeyError) throw new StartupError(error.message);
    throw error.syscall ? new StartupError(`DATA_DIR: data cannot be stored in ${folder} (${error.code})`) : error;
  };
}

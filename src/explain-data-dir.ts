import { StartupError } from './startup-error.js';

/** For a step of the start that keeps something below `DATA_DIR`: what the disk refuses is told in one line. */
export function explainDataDir(folder: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw error.syscall ? new StartupError(`DATA_DIR: nothing can be kept in ${folder} (${error.code})`) : error;
  };
}

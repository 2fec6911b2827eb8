import { DefinitionError } from '../src/catalog/definitions/read-definitions.js';

/** Prints the faults of a `DefinitionError`, and sets the exit code to 1. Throws other errors. */
export async function printDefinitionFaults(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    for (const fault of error.faults) console.error(fault);
    process.exitCode = 1;
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { accuracyTargets, formatResultTable, listMisses, type SystemResult } from './csv/accuracy-report.js';
import { CONVERSION_TRAPS } from './csv/conversion-traps.js';
import { CorpusError, type CorpusFile, MANIFEST_FORMAT, readCorpus, truncateFiles } from './csv/corpus.js';
import type { CsvSystem } from './csv/csv-system.js';
import { openDuckDbSystem } from './csv/duckdb-system.js';
import { DiskSpaceError, printLargeFiles } from './csv/large-files.js';
import { csvParseSystem, papaParseSystem } from './csv/parser-systems.js';
import { runConversionTrap } from './csv/run-conversion-trap.js';
import { scoreFile } from './csv/score-file.js';
import { taprootSystem } from './csv/taproot-system.js';
import { listUnscoredTypes } from './csv/type-vocabularies.js';
import { medianSeconds } from './support/median-seconds.js';

const USAGE = `npm run bench:csv -- FOLDER [--verbose]
npm run bench:csv -- --large
Measures the inference accuracy of the service, DuckDB, Papa Parse and csv-parse on a labelled corpus of CSV files.
--verbose also lists the errors of the other systems and the types that are not scored. --large measures generated files of up to 2 GiB.

${MANIFEST_FORMAT}`;

const ROUNDS = 5;

const { folder, verbose, large } = readArguments();
const temporary = await mkdtemp(join(tmpdir(), 'taproot-bench-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => rm(temporary, { recursive: true, force: true }).finally(() => process.exit(1)));
const duckDb = await openDuckDbSystem();
try {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`);
  if (folder !== undefined) await compareOn(await truncateFiles(readCorpus(folder), temporary));
  if (large) await printLargeFiles(temporary, duckDb);
} catch (error) {
  if (!(error instanceof CorpusError || error instanceof DiskSpaceError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  duckDb.close();
  await rm(temporary, { recursive: true, force: true });
}

async function compareOn(files: readonly CorpusFile[]): Promise<void> {
  const systems = [taprootSystem, duckDb, papaParseSystem, csvParseSystem];
  const seconds = await timeSystems(systems, files);
  const results: SystemResult[] = [];
  for (const system of systems) {
    const findings = [];
    for (const file of files) findings.push(...(await scoreFile(system, file)));
    const traps = [];
    for (const trap of CONVERSION_TRAPS) traps.push(await runConversionTrap(system, trap, temporary));
    results.push({ name: system.name, findings, traps, seconds: seconds[system.name] as number });
  }
  const [own, baseline] = results as [SystemResult, SystemResult];
  console.log(`${files.length} files\n\n${formatResultTable(results, baseline)}`);
  for (const result of verbose ? results : [own]) {
    console.log(`\nErrors of ${result.name}\n${listMisses(result).join('\n')}`);
  }
  if (verbose)
    console.log(
      `\nTypes that are not scored\n${listUnscoredTypes()
        .map((line) => `  ${line}`)
        .join('\n')}`,
    );
  console.log(`\n${accuracyTargets(own, baseline).join('\n')}`);
}

/** The time includes files for which the system throws an error. */
function timeSystems(systems: readonly CsvSystem[], files: readonly CorpusFile[]): Promise<Record<string, number>> {
  const sniffAll = async (system: CsvSystem): Promise<void> => {
    for (const { path } of files) await system.sniff(path).catch(() => undefined);
  };
  return medianSeconds(Object.fromEntries(systems.map((system) => [system.name, () => sniffAll(system)])), ROUNDS);
}

function readArguments(): { folder?: string | undefined; verbose: boolean; large: boolean } {
  try {
    const options = {
      verbose: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
    } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1 || (positionals.length === 0 && !values.large)) throw new Error('name one folder');
    return { ...values, folder: positionals[0] };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
}

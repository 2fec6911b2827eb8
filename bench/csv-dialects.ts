import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type AnnotatedFile, type AnnotatedSet, readAnnotatedCorpus } from './csv/annotated-corpus.js';
import { CorpusError } from './csv/corpus.js';
import type { SniffedCsv } from './csv/csv-system.js';
import { openDuckDbSystem } from './csv/duckdb-system.js';
import { papaParseSystem } from './csv/parser-systems.js';
import { type PollutedFile, readPollutedFiles } from './csv/pollock-corpus.js';
import { MAX_POLLUTION_SCORE, scorePollution } from './csv/score-pollution.js';
import { publicationSystem, taprootSystem } from './csv/taproot-system.js';
import { formatTarget } from './support/format-target.js';

const USAGE = `npm run bench:csv-dialects -- [--pollock FOLDER] [--w3c FOLDER] [--wrangling FOLDER] [--pollution FOLDER]
Measures how often the service, DuckDB and Papa Parse detect the delimiter and quote of files with published annotations.
A file that the service rejects counts as an error. Lists every error of the service.
  --pollock, --w3c, --wrangling   the folders python/CSV, python/W3C-CSVW and python/CSV_Wrangling of the repository
                                  ws-garcia/CSVsniffer, next to its folder "ground truth"
  --pollution                     the folder polluted_files of the repository HPI-Information-Systems/Pollock, next to
                                  pollock_weights.json; prints Pollock's score, from 0 to 10`;

/** Minimum percentages of correct dialects. For `pollution`, the minimum of Pollock's weighted score. */
const TARGETS = { pollock: 98.5, w3c: 99.6, wrangling: 93, pollution: 9.7 } as const;
const SETS = ['pollock', 'w3c', 'wrangling'] as const satisfies readonly AnnotatedSet[];

const LISTED_POLLUTIONS = 20;

const folders = readArguments();
const duckDb = await openDuckDbSystem();
const systems = [taprootSystem, duckDb, papaParseSystem];
try {
  console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`);
  for (const set of SETS) if (folders[set] !== undefined) await compareDialects(set, folders[set]);
  if (folders.pollution !== undefined) await comparePollutions(readPollutedFiles(folders.pollution));
} catch (error) {
  if (!(error instanceof CorpusError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  duckDb.close();
}

async function compareDialects(set: AnnotatedSet, folder: string): Promise<void> {
  const { files, missing } = readAnnotatedCorpus(folder, set);
  console.log(`\n${set}: ${files.length} files${missing > 0 ? `, ${missing} missing` : ''}`);
  const misses: string[] = [];
  for (const system of systems) {
    let right = 0;
    for (const file of files) {
      const found = await orError(() => system.sniff(file.path));
      if (isRight(file, found)) right++;
      else if (system === taprootSystem) misses.push(describeMiss(file, found));
    }
    const share = (right / files.length) * 100;
    const figure = `${share.toFixed(1)} % (${right}/${files.length})`;
    const line = `delimiter and quote of ${TARGETS[set]} % of ${set}: ${figure}`;
    console.log(system === taprootSystem ? formatTarget(share >= TARGETS[set], line) : `  ${system.name}: ${figure}`);
  }
  console.log(misses.join('\n'));
}

/** As in CSVsniffer, a missing quote counts as the double quote, because most files contain no quotes. */
function isRight({ delimiter, quote }: AnnotatedFile, found: SniffedCsv | Error): boolean {
  return !(found instanceof Error) && found.delimiter === delimiter && (found.quote || '"') === quote;
}

function describeMiss({ name, delimiter, quote }: AnnotatedFile, found: SniffedCsv | Error): string {
  const detected = found instanceof Error ? found.message : JSON.stringify([found.delimiter, found.quote]);
  return `  ${name}: expected ${JSON.stringify([delimiter, quote])}, found ${detected}`;
}

async function comparePollutions(files: readonly PollutedFile[]): Promise<void> {
  console.log(`\npollution: ${files.length} files`);
  const totalWeight = files.reduce((sum, { weight }) => sum + weight, 0);
  for (const system of [...systems, publicationSystem]) {
    const scores: { name: string; score: number; loss: number; error: string }[] = [];
    for (const { name, path, weight, clean } of files) {
      const loaded = await orError(() => system.readTexts(path));
      const score = scorePollution(clean, loaded);
      const loss = ((MAX_POLLUTION_SCORE - score) * weight) / totalWeight;
      scores.push({ name, score, loss, error: loaded instanceof Error ? loaded.message : '' });
    }
    const simple = scores.reduce((sum, { score }) => sum + score, 0) / files.length;
    const weighted = MAX_POLLUTION_SCORE - scores.reduce((sum, { loss }) => sum + loss, 0);
    const figure = `simple ${simple.toFixed(3)}, weighted ${weighted.toFixed(3)}`;
    if (system !== taprootSystem) console.log(`  ${system.name}: ${figure}`);
    else console.log(formatTarget(weighted >= TARGETS.pollution, `weighted score of ${TARGETS.pollution}: ${figure}`));
    if (system !== taprootSystem) continue;
    for (const { name, score, loss, error } of scores.sort((a, b) => b.loss - a.loss).slice(0, LISTED_POLLUTIONS))
      console.log(`  ${name}: score ${score.toFixed(2)}, loss ${loss.toFixed(4)} ${error}`);
  }
}

async function orError<T>(work: () => Promise<T>): Promise<T | Error> {
  try {
    return await work();
  } catch (error) {
    return error as Error;
  }
}

function readArguments(): Partial<Record<keyof typeof TARGETS, string | undefined>> {
  try {
    const option = { type: 'string' } as const;
    const options = { pollock: option, w3c: option, wrangling: option, pollution: option };
    const { values } = parseArgs({ options });
    if (Object.keys(values).length === 0) throw new Error('name at least one folder');
    return values;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { CorpusError } from './corpus.js';

export interface PollutedFile {
  readonly name: string;
  readonly path: string;
  /** Relative frequency of this pollution in real files. */
  readonly weight: number;
  /** Records of the file without the pollution, including the header. */
  readonly clean: readonly (readonly string[])[];
}

const weightsByName = z.record(z.string(), z.number());

/**
 * Reads the folder `polluted_files` of the Pollock repository, and the weights next to this folder. Throws
 * `CorpusError` if one of them is missing.
 */
export function readPollutedFiles(folder: string): PollutedFile[] {
  const weightsPath = join(dirname(folder), 'pollock_weights.json');
  for (const path of [weightsPath, join(folder, 'csv'), join(folder, 'clean')])
    if (!existsSync(path)) throw new CorpusError(`${path} is missing`);
  const weights = weightsByName.parse(JSON.parse(readFileSync(weightsPath, 'utf8')));
  const cleanByText = new Map<string, string[][]>();
  return readdirSync(join(folder, 'csv'))
    .filter((name) => name.endsWith('csv'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, 'clean', name), 'utf8');
      const clean = cleanByText.get(text) ?? parse(text, { bom: true, relax_column_count: true });
      cleanByText.set(text, clean);
      return { name, path: join(folder, 'csv', name), weight: weights[name] ?? -1, clean };
    });
}

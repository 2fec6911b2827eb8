import { BaseSequencer } from 'vitest/node';

/** Slowest first, so that no long file runs alone at the end. Tests that start and kill processes take longest. */
const FOLDERS = ['process', 'contract', 'service', 'database', 'unit'];

export class SlowestFirst extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) => FOLDERS.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

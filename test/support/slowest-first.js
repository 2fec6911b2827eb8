import Sequencer from '@jest/test-sequencer';

/** By how long their files take: processes that are started and killed first, so that none of them is left to run alone at the end. */
const FOLDERS = ['process', 'contract', 'service', 'database', 'unit'];

export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => FOLDERS.findIndex((folder) => path.includes(`/test/${folder}/`));
    return [...tests].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  }
}

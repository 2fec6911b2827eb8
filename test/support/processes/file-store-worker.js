import { FolderStore } from '../../../src/kernel/files/folder-store.js';

/** A process that keeps files of SIZE bytes in FOLDER, as `file-0` and so on, TIMES of them, and prints the key of each one or the code of its failure. */
const { FOLDER, SIZE, TIMES } = process.env;

async function* bytes() {
  const chunk = Buffer.alloc(65_536, 'whole');
  for (let left = Number(SIZE); left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

const store = await FolderStore.open(FOLDER);
console.log('ready');
for (let nth = 0; nth < Number(TIMES); nth++) {
  const key = `kept/file-${nth}`;
  await store.put(key, bytes()).then(
    () => console.log(key),
    ({ name, code }) => console.log(`${name} ${code}`),
  );
}
console.log('over');

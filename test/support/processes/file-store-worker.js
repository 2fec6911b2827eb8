import { FolderStore } from '../../../src/kernel/files/folder-store.js';

/**
 * A process that stores TIMES files of SIZE bytes in FOLDER, as `file-0` and so on. It prints the key or error code of
 * each file.
 */
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

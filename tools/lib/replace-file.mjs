// Replaces files of the build, atomically: several processes may build at once, while others start from dist/.
import fs from 'node:fs/promises';

/** @param {[Date, Date]} [times] of the last access and the last change */
export async function replaceFile(file, content, times) {
  const draft = `${file}.${process.pid}.tmp`;
  await fs.writeFile(draft, content);
  if (times) await fs.utimes(draft, ...times);
  await fs.rename(draft, file);
}

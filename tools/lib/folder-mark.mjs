// Detects a data folder that was restored from a copy, which its database cannot detect.
import fs from 'node:fs';
import path from 'node:path';

/**
 * A file that contains its own inode number and time of creation, and is created anew at each start. A restored copy has
 * other values than it contains, however it was copied; moving the folder changes neither.
 */
export class FolderMark {
  #file;

  constructor(folder) {
    this.#file = path.join(folder, 'postgres.mark');
  }

  /** False if there is no mark yet. */
  isOfCopy() {
    const held = fs.existsSync(this.#file) ? fs.readFileSync(this.#file, 'utf8').trim() : '';
    return held !== '' && held !== birthOf(this.#file);
  }

  /** Keeps the former mark if the disk is full, which must not prevent the start. */
  renew() {
    const draft = `${this.#file}.tmp`;
    try {
      fs.rmSync(draft, { force: true });
      fs.writeFileSync(draft, '', { mode: 0o600 });
      fs.writeFileSync(draft, `${birthOf(draft)}\n`, { flush: true });
      fs.renameSync(draft, this.#file);
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }
}

function birthOf(file) {
  const { ino, birthtimeNs } = fs.statSync(file, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}

// Tells a data folder that was put back from a copy, of which the database in it knows nothing.
import fs from 'node:fs';
import path from 'node:path';

/**
 * A file that holds its own inode and time of birth. Each start makes another one, so that no copy of an earlier one fits
 * the place that it is put back to, however it was copied; moving the folder changes neither.
 */
export class FolderMark {
  #file;

  constructor(folder) {
    this.#file = path.join(folder, 'postgres.mark');
  }

  /** False also where no start has left a mark yet. */
  isOfCopy() {
    const held = fs.existsSync(this.#file) ? fs.readFileSync(this.#file, 'utf8').trim() : '';
    return held !== '' && held !== birthOf(this.#file);
  }

  /** A full disk must not keep the service from starting: the mark of the start before stays then. */
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

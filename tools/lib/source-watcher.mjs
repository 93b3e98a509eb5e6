// Reports that sources have changed, but not which: the build compares times, so additional events are cheap and merged
// events lose nothing.
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from './fault.mjs';

/** Editors write a file in several steps, and a checkout writes many files. */
const QUIET_MS = 50;
/** On Linux, Node 20 emulates recursive watching and misses files that are replaced by a rename, as editors do. */
const IS_RECURSIVE = process.platform !== 'linux';

export class SourceWatcher {
  #folders;
  #changed;
  /** By folder: its watcher, and the identity of the directory that it watches. */
  #watched = new Map();
  #timer = null;
  #closed = false;
  /** The time of the first unreported change. */
  #since = null;

  /**
   * @param {string[]} folders absolute paths
   * @param {(since: number) => void} changed called after a quiet period; `since` is `performance.now()` at the first change
   */
  constructor(folders, changed) {
    this.#folders = folders;
    this.#changed = changed;
  }

  start() {
    this.#follow();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { watcher } of this.#watched.values()) watcher.close();
  }

  #noticed() {
    if (this.#closed) return;
    this.#since ??= performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#report(), QUIET_MS);
  }

  #report() {
    try {
      // Before the build reads the sources, so that a later write to a new folder is noticed.
      this.#follow();
    } catch (error) {
      // A folder disappeared while it was listed, as during a checkout.
      if (error.code !== 'ENOENT') throw error;
      return this.#noticed();
    }
    const since = this.#since;
    this.#since = null;
    this.#changed(since);
  }

  /** Watches folders that have appeared or were replaced, and forgets those that are gone. */
  #follow() {
    const folders = new Set(this.#folders.flatMap((folder) => (IS_RECURSIVE ? [folder] : foldersOf(folder))));
    for (const [folder, { watcher, identity }] of this.#watched) {
      // A directory that was removed and created again has the same path, but its watcher has ended with the old one.
      if (folders.has(folder) && identityOf(folder) === identity) continue;
      watcher.close();
      this.#watched.delete(folder);
    }
    for (const folder of folders) if (!this.#watched.has(folder)) this.#watch(folder);
  }

  #watch(folder) {
    try {
      // Taken first: a directory that is replaced in between is then watched again after the next event.
      const identity = identityOf(folder);
      const watcher = fs.watch(folder, { recursive: IS_RECURSIVE }, () => this.#noticed());
      // The folder was removed or replaced. If it exists, it is watched again.
      watcher.on('error', () => {
        if (this.#watched.get(folder)?.watcher === watcher) this.#watched.delete(folder);
        watcher.close();
        this.#noticed();
      });
      this.#watched.set(folder, { watcher, identity });
    } catch (error) {
      if (error.code === 'ENOENT') return;
      if (error.code !== 'ENOSPC' && error.code !== 'EMFILE') throw error;
      throw new Fault(
        `too many files are watched on this machine: raise fs.inotify.max_user_watches (${error.code})`,
      );
    }
  }
}

/** Inode and time of creation, because file systems reuse the number of a removed inode. Null if the directory is gone. */
function identityOf(folder) {
  const found = fs.statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}:${found.birthtimeNs}` : null;
}

function foldersOf(folder) {
  const found = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const inside = found.filter((entry) => entry.isDirectory());
  return [folder, ...inside.map((entry) => path.join(entry.parentPath, entry.name))];
}

// Reports that sources have changed. It does not report which: the build compares times, so an additional event costs only a
// comparison, and merged events lose nothing.
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
  #watchers = new Map();
  #timer = null;
  #closed = false;
  /** When the first change came that has not been reported yet. */
  #since = null;

  /**
   * @param {string[]} folders absolute paths
   * @param {(since: number) => void} changed called once changes have paused; `since` is `performance.now()` at the first
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
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #noticed() {
    if (this.#closed) return;
    this.#since ??= performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#report(), QUIET_MS);
  }

  #report() {
    try {
      // Before the sources are read: what is written into a new folder afterwards is an event of its own.
      this.#follow();
    } catch (error) {
      // A folder has gone while it was listed, as during a checkout.
      if (error.code !== 'ENOENT') throw error;
      return this.#noticed();
    }
    const since = this.#since;
    this.#since = null;
    this.#changed(since);
  }

  /** Watches folders that have appeared, and forgets those that are gone. */
  #follow() {
    const folders = new Set(this.#folders.flatMap((folder) => (IS_RECURSIVE ? [folder] : foldersOf(folder))));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#watch(folder);
  }

  #watch(folder) {
    try {
      const watcher = fs.watch(folder, { recursive: IS_RECURSIVE }, () => this.#noticed());
      // The folder is gone, or was replaced: it is watched anew as far as it is there.
      watcher.on('error', () => {
        this.#watchers.delete(folder);
        watcher.close();
        this.#noticed();
      });
      this.#watchers.set(folder, watcher);
    } catch (error) {
      if (error.code === 'ENOENT') return;
      if (error.code !== 'ENOSPC' && error.code !== 'EMFILE') throw error;
      throw new Fault(
        `too many files are watched on this machine: raise fs.inotify.max_user_watches (${error.code})`,
      );
    }
  }
}

function foldersOf(folder) {
  const found = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const inside = found.filter((entry) => entry.isDirectory());
  return [folder, ...inside.map((entry) => path.join(entry.parentPath, entry.name))];
}

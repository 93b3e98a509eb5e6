// Only one service at a time may use a DATA_DIR. The lock identifies its holder by pid and start time, so that the lock of
// a killed process is never taken for a valid one. It also lists the holder's child processes, which may outlive it by
// several seconds.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from './fault.mjs';
import { openDataDir, writeWhole } from './files.mjs';
import { identify, isAlive, signal, waitForExit, waitUntil } from './processes.mjs';

const FILE = 'lock.json';
const CHECKOUT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const LEFTOVER_LIMIT_MS = 12_000;
const BRIEF_HOLDER_LIMIT_MS = 30_000;
/** Discarding takes microseconds. An older mark was left by a process that was killed while discarding. */
const MARK_LIMIT_MS = 2000;
const MARK_PAUSE_MS = 10;

export class DataDirLock {
  #file;
  #content;

  /** @param {'service' | 'command'} role */
  constructor(dataDir, role) {
    this.#file = path.join(openDataDir(dataDir), FILE);
    const state = { children: [], prepared: false, stopping: false };
    this.#content = { ...identify(process.pid), role, checkout: CHECKOUT, ...state };
  }

  /**
   * @returns {object | null} null if this process now holds the lock, otherwise the living holder
   */
  tryTake() {
    for (;;) {
      // Read first: on a full disk, a lock that is taken can still be read.
      const holder = readLock(this.#file);
      if (holder && isAlive(holder)) return holder;
      if (this.#create()) return null;
      // The children of a killed holder stay in the lock until a later holder has seen them exit.
      this.#content.children = holder?.children ?? [];
      this.#discard(holder);
    }
  }

  /** Takes the lock, waiting for a command or a stopping service. Throws if a running service holds it, or after `limitMs`. */
  async take({ limitMs = BRIEF_HOLDER_LIMIT_MS, until } = {}) {
    let holder = null;
    const isSettled = () => {
      holder = this.tryTake();
      return holder === null || (holder.role === 'service' && !holder.stopping);
    };
    await waitUntil(isSettled, limitMs, 100, until);
    if (!holder) return;
    const who = holder.role === 'service' ? 'Counterfoil is already running' : 'a command is still at work';
    throw new Fault(
      `${who} on ${path.dirname(this.#file)} (pid ${holder.pid}): stop it, or choose another DATA_DIR`,
    );
  }

  /** Lets the children of a killed holder finish their work, and kills those that take too long. */
  async endLeftovers({ announce = () => {}, until } = {}) {
    const living = this.#content.children.filter(isAlive);
    if (living.length > 0) announce();
    await Promise.all(living.map((child) => waitForExit(child, LEFTOVER_LIMIT_MS, until)));
    living.forEach((child) => signal(child, 'SIGKILL'));
    await Promise.all(living.map((child) => waitForExit(child, LEFTOVER_LIMIT_MS)));
    this.note({ children: [] });
  }

  /** @returns {object | null} the present holder, if it is alive */
  holder() {
    return livingHolder(this.#file);
  }

  /** Publishes more about the holder. A full disk must not stop the service. */
  note(change) {
    Object.assign(this.#content, change);
    try {
      writeWhole(this.#file, JSON.stringify(this.#content), 0o600);
    } catch {
      // The lock stays valid, with its former content.
    }
  }

  release() {
    const holder = readLock(this.#file);
    if (holder?.pid === this.#content.pid && holder.startTime === this.#content.startTime)
      fs.rmSync(this.#file);
  }

  /** Atomic: links a complete file, which fails if a lock exists. */
  #create() {
    const draft = `${this.#file}.${process.pid}`;
    try {
      fs.writeFileSync(draft, JSON.stringify(this.#content), { mode: 0o600 });
      fs.linkSync(draft, this.#file);
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      return false;
    } finally {
      fs.rmSync(draft, { force: true });
    }
  }

  /**
   * Removes the lock of a dead holder, which several processes may find at once. Only the process that creates the mark
   * removes it, after checking that the holder is still the same: nobody can replace the lock while the mark exists.
   */
  #discard(holder) {
    const mark = `${this.#file}.stale`;
    try {
      fs.linkSync(this.#file, mark);
    } catch (error) {
      if (error.code === 'EEXIST') return passMark(mark);
      if (error.code === 'ENOENT') return;
      throw error;
    }
    const marked = readLock(mark);
    if (marked?.pid === holder?.pid && marked?.startTime === holder?.startTime)
      fs.rmSync(this.#file, { force: true });
    fs.rmSync(mark, { force: true });
  }
}

/** @returns {object | null} the living holder of the lock of a folder, which need not exist */
export const holderOf = (dataDir) => livingHolder(path.join(dataDir, FILE));

function livingHolder(file) {
  const holder = readLock(file);
  return holder && isAlive(holder) ? holder : null;
}

function passMark(mark) {
  const since = fs.statSync(mark, { throwIfNoEntry: false })?.ctimeMs;
  if (since !== undefined && Date.now() - since > MARK_LIMIT_MS) fs.rmSync(mark, { force: true });
  // Blocks the thread, because `tryTake` is synchronous.
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MARK_PAUSE_MS);
}

/** @returns {object | null} the content; null if the file is missing or unreadable */
function readLock(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

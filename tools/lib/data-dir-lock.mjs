// One service at a time works on a DATA_DIR. The lock names its holder by pid and start time, so that what a
// killed process leaves behind is never taken for a living one; it also names the processes the holder has
// started, which may outlive it for the seconds that they need to finish.
import fs from 'node:fs';
import path from 'node:path';
import { Fault } from './fault.mjs';
import { openDataDir, writeWhole } from './files.mjs';
import { identify, isAlive, signal, waitForExit, waitUntil } from './processes.mjs';

const LEFTOVER_LIMIT_MS = 12_000;
const BRIEF_HOLDER_LIMIT_MS = 30_000;
/** Discarding takes microseconds: a mark this old was left by a process that was killed in the middle of it. */
const MARK_LIMIT_MS = 2000;
const MARK_PAUSE_MS = 10;

export class DataDirLock {
  #file;
  #content;

  /** @param {'service' | 'command'} role */
  constructor(dataDir, role) {
    this.#file = path.join(openDataDir(dataDir), 'lock.json');
    this.#content = { ...identify(process.pid), role, children: [], prepared: false, stopping: false };
  }

  /**
   * @returns {object | null} null when this process holds it now, else the living holder
   */
  tryTake() {
    for (;;) {
      if (this.#create()) return null;
      const holder = readLock(this.#file);
      if (holder && isAlive(holder)) return holder;
      // The children of a killed holder are handed on, until somebody has seen them end.
      this.#content.children = holder?.children ?? [];
      this.#discard(holder);
    }
  }

  /** Takes it, or explains who has it. A command, and a service that is stopping, are waited for: they are soon gone. */
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

  /** Waits for processes that a killed holder has left, which finish what they have in flight, and then ends them. */
  async endLeftovers({ announce = () => {}, until } = {}) {
    const living = this.#content.children.filter(isAlive);
    if (living.length > 0) announce();
    await Promise.all(living.map((child) => waitForExit(child, LEFTOVER_LIMIT_MS, until)));
    living.forEach((child) => signal(child, 'SIGKILL'));
    await Promise.all(living.map((child) => waitForExit(child, LEFTOVER_LIMIT_MS)));
    this.note({ children: [] });
  }

  /** @returns {object | null} who has it now, if alive */
  holder() {
    const holder = readLock(this.#file);
    return holder && isAlive(holder) ? holder : null;
  }

  /** Adds to what others can read about the holder. A full disk must not end what the lock stands for. */
  note(change) {
    Object.assign(this.#content, change);
    try {
      writeWhole(this.#file, JSON.stringify(this.#content), 0o600);
    } catch {
      // The lock itself is there, with what was noted before.
    }
  }

  release() {
    const holder = readLock(this.#file);
    if (holder?.pid === this.#content.pid && holder.startTime === this.#content.startTime)
      fs.rmSync(this.#file);
  }

  /** Appears whole or not at all, and only where there is none. */
  #create() {
    const draft = `${this.#file}.${process.pid}`;
    fs.writeFileSync(draft, JSON.stringify(this.#content), { mode: 0o600 });
    try {
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
   * Several processes may find the same dead holder. Only the one whose mark is there removes it, and only if it is
   * still that one: while the mark stands, nobody can have put another in its place.
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

function passMark(mark) {
  const since = fs.statSync(mark, { throwIfNoEntry: false })?.ctimeMs;
  if (since !== undefined && Date.now() - since > MARK_LIMIT_MS) fs.rmSync(mark, { force: true });
  // Taking a lock is one step for its callers: this waits without letting anything else run.
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MARK_PAUSE_MS);
}

/** @returns {object | null} the content; null when there is none, or none that can be read */
function readLock(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

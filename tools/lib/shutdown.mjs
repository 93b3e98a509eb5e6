// Orderly shutdown: runs all cleanups once, in reverse order of their registration.
import path from 'node:path';
import { Fault } from './fault.mjs';
import { identify, isAlive, processInfo } from './processes.mjs';
import { complain } from './report.mjs';

const REPEAT_MS = 1000;
const NPM_CHECK_MS = 1000;

export class Shutdown {
  #cleanups = [];
  #requested = new AbortController();
  #hurry = new AbortController();
  #end;

  constructor() {
    /** The error that caused the shutdown; null if a user requested it. */
    this.fault = null;
    /** Whether the shutdown itself failed. */
    this.failed = false;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  /** Aborted when the shutdown is requested. */
  get signal() {
    return this.#requested.signal;
  }

  /** Aborted when it is requested a second time. */
  get hurry() {
    return this.#hurry.signal;
  }

  get requested() {
    return this.signal.aborted;
  }

  listen() {
    let first = 0;
    const ask = () => {
      // The terminal sends Ctrl-C to the whole group, and npm forwards it, so one request may arrive twice.
      if (this.requested && Date.now() - first > REPEAT_MS) this.#hurry.abort();
      if (!this.requested) first = Date.now();
      this.request();
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, ask);
    if (process.env.npm_lifecycle_event) this.#followNpm(ask);
    this.#outliveFaults();
  }

  /** An uncaught error would otherwise end this process at once and leave its children running. */
  #outliveFaults() {
    for (const stream of [process.stdout, process.stderr]) {
      // The reader of the output has gone, as in `npm start | head -2`.
      stream.on('error', ({ code }) => {
        // The output is a file on a full disk: lines are lost until there is space again.
        if (code !== 'ENOSPC') this.request(new Fault(`the output is closed (${code})`));
      });
    }
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      process.on(event, (error) => {
        if (!this.requested) return this.request(error);
        this.failed = true;
        complain(error);
      });
    }
  }

  /** Stops when npm is gone, since a killed npm forwards no signal. */
  #followNpm(ask) {
    const followed = npmProcesses();
    const check = setInterval(() => {
      if (!this.requested && !followed.every(isAlive)) ask();
    }, NPM_CHECK_MS);
    check.unref();
  }

  /** @param {unknown} [fault] the error that prevents continuing */
  request(fault = null) {
    if (this.requested) return;
    this.fault = fault;
    this.#requested.abort();
    this.#end(fault);
  }

  /** @param {(hurry: AbortSignal) => unknown} cleanup */
  onStop(cleanup) {
    this.#cleanups.push(cleanup);
  }

  /** Runs all cleanups, even if some of them fail. */
  async run() {
    for (const cleanup of this.#cleanups.splice(0).reverse()) {
      try {
        await cleanup(this.hurry);
      } catch (error) {
        this.failed = true;
        complain(error);
      }
    }
  }
}

/** The npm process that runs this script: the parent, or its parent if there is a shell in between. */
function npmProcesses() {
  const parent = processInfo(process.ppid);
  const isShell = parent?.command.includes(path.basename(process.argv[1])) ?? false;
  const pids = isShell ? [process.ppid, parent.parent] : [process.ppid];
  return pids.map(identify).filter(Boolean);
}

// Stopping: once, in the reverse order of starting, whatever asked for it.
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
    /** The error that made going on impossible; null if a user stopped it. */
    this.fault = null;
    /** Whether stopping itself went wrong. */
    this.failed = false;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  /** Aborted as soon as stopping was asked for. */
  get signal() {
    return this.#requested.signal;
  }

  /** Aborted when it was asked for again. */
  get hurry() {
    return this.#hurry.signal;
  }

  get requested() {
    return this.signal.aborted;
  }

  listen() {
    let first = 0;
    const ask = () => {
      // npm passes on the Ctrl-C that the terminal has already sent to everybody: that is one wish, not two.
      if (this.requested && Date.now() - first > REPEAT_MS) this.#hurry.abort();
      if (!this.requested) first = Date.now();
      this.request();
    };
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, ask);
    if (process.env.npm_lifecycle_event) this.#followNpm(ask);
    this.#outliveFaults();
  }

  /** An uncaught error would end this process at once, and leave its children running. */
  #outliveFaults() {
    for (const stream of [process.stdout, process.stderr]) {
      // Such as `npm start | head -2`. It comes again with every line that is printed from then on.
      stream.on('error', ({ code }) => {
        // Of a file on a disk that is full: lines are lost until there is room again.
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

  /** npm may be ended in a way that it cannot pass on. Nothing of it must be left then. */
  #followNpm(ask) {
    const followed = npmProcesses();
    const check = setInterval(() => {
      if (!this.requested && !followed.every(isAlive)) ask();
    }, NPM_CHECK_MS);
    check.unref();
  }

  /** @param {unknown} [fault] what makes going on impossible */
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

  /** A step that fails does not keep the others from running. */
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

/** The npm that runs this script: the parent, or the parent's parent where a shell stands between. */
function npmProcesses() {
  const parent = processInfo(process.ppid);
  const isShell = parent?.command.includes(path.basename(process.argv[1])) ?? false;
  const pids = isShell ? [process.ppid, parent.parent] : [process.ppid];
  return pids.map(identify).filter(Boolean);
}

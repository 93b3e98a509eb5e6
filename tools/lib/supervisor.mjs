// Keeps one process of the service running, and ends it in order.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from './fault.mjs';
import { identify } from './processes.mjs';
import { spawnWithSecrets } from './secrets.mjs';
import { root } from './workspace.mjs';

const READY_LIMIT_MS = 60_000;
/** The 10 seconds that the process itself takes at most, and some for a busy machine. */
const DRAIN_LIMIT_MS = 12_000;
const RESTART_FIRST_MS = 250;
const RESTART_MAX_MS = 10_000;
const STABLE_MS = 60_000;
const STANDBY = path.join(root, 'tools/lib/standby.cjs');
/** After the standard streams and the channel. */
const STANDBY_FD = 4;

export class SupervisedProcess {
  #child = null;
  #exited = null;
  /** A process that has loaded its packages and waits to replace the present one. */
  #spare = null;
  #stopped = false;
  /** Aborted when the present process is to end: because of a stop or a restart. */
  #ending = new AbortController();
  #waitMs = RESTART_FIRST_MS;
  /** Whether the present process has taken up work. */
  #working = false;

  /**
   * @param {string} name
   * @param {string} program path of a script
   * @param {object} context
   * @param {NodeJS.ProcessEnv} context.env
   * @param {(line: string) => void} context.report
   * @param {() => void} context.changed called whenever other processes stand behind this one
   * @param {string[]} [context.flags] Node's
   * @param {boolean} [context.standby] whether a second process is kept ready for the next restart
   */
  constructor(name, program, context) {
    this.name = name;
    this.program = program;
    this.context = context;
  }

  get identities() {
    const children = [this.#child, this.#spare].filter((child) => child?.pid !== undefined);
    return children.map((child) => identify(child.pid)).filter(Boolean);
  }

  /** Starts it for the first time. What fails now would fail again: there is no second try. */
  async start() {
    const outcome = await this.#spawn();
    if (outcome === 'ready' || outcome === 'stopped') return;
    await this.stop(AbortSignal.abort());
    throw new Fault(`the ${this.name} did not start (${outcome})`);
  }

  /**
   * Replaces the present process, or one that has ended, by a new one.
   *
   * @param {number} limitMs how long the present one may take to finish what it has in flight
   * @returns {Promise<string>} `ready`, `stopped`, or why the new one is not ready; there is no second try
   */
  async restart(limitMs) {
    if (this.#stopped) return 'stopped';
    this.#ending.abort();
    await this.#end(limitMs);
    if (this.#stopped) return 'stopped';
    this.#ending = new AbortController();
    this.#waitMs = RESTART_FIRST_MS;
    const outcome = await this.#spawn();
    if (outcome === 'ready' || outcome === 'stopped') return outcome;
    this.#child.kill('SIGKILL');
    this.#keepSpare();
    return outcome;
  }

  /**
   * Asks it to finish what it has in flight; ends it when that takes too long, or when there is a hurry.
   *
   * @param {AbortSignal} hurry
   * @returns {Promise<string | null>} what to tell when it ended before it had finished
   */
  async stop(hurry) {
    this.#stopped = true;
    this.#ending.abort();
    this.#spare?.kill('SIGKILL');
    const reason = await this.#end(DRAIN_LIMIT_MS, hurry);
    if (!this.#working || reason === null || reason === 'exit code 0') return null;
    return `the ${this.name} was ended with work in flight (${reason})`;
  }

  /** @returns {Promise<string | null>} how the present process ended; null where there was none */
  async #end(limitMs, hurry = new AbortController().signal) {
    const child = this.#child;
    if (!isRunning(child)) return null;
    const kill = () => child.kill('SIGKILL');
    const limit = setTimeout(kill, limitMs);
    if (hurry.aborted) kill();
    else hurry.addEventListener('abort', kill, { once: true });
    child.kill('SIGTERM');
    const reason = await this.#exited;
    clearTimeout(limit);
    return reason;
  }

  /** @returns {Promise<string>} `ready`, or why it is not */
  #spawn() {
    const child = isRunning(this.#spare) ? this.#spare : this.#launch();
    this.#spare = null;
    this.#child = child;
    this.#working = false;
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`));
    });
    if (this.context.standby) child.stdio[STANDBY_FD].end('.');
    this.context.changed();
    return this.#watch(child, this.#ending.signal);
  }

  #launch() {
    const { env, flags = [], standby } = this.context;
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
    const before = standby ? ['--require', STANDBY] : [];
    // A group of its own: Ctrl-C in the terminal reaches the supervisor alone, which stops things in order.
    // The channel is how the process learns that its supervisor is gone.
    const child = spawnWithSecrets(
      process.execPath,
      ['--enable-source-maps', ...before, ...flags, this.program],
      {
        cwd: root,
        env: standby ? { ...env, STANDBY_FD: `${STANDBY_FD}` } : env,
        stdio: standby ? [...stdio, 'pipe'] : stdio,
        detached: true,
      },
    );
    // A failure shows when the process is needed.
    child.on('error', () => {});
    child.stdio[STANDBY_FD]?.on('error', () => {});
    return child;
  }

  #keepSpare() {
    if (!this.context.standby || this.#stopped || isRunning(this.#spare)) return;
    this.#spare = this.#launch();
    this.context.changed();
  }

  async #watch(child, ending) {
    const late = new AbortController();
    const ready = new Promise((resolve) => {
      child.on('message', (message) => {
        if (message?.type !== 'ready') return;
        if (child === this.#child) this.#working = true;
        resolve('ready');
      });
    });
    const tooLate = sleep(READY_LIMIT_MS, `not ready within ${READY_LIMIT_MS / 1000} s`, {
      signal: late.signal,
    });
    const outcome = await Promise.race([ready, this.#exited, tooLate.catch(() => 'late')]);
    late.abort();
    if (ending.aborted) return 'stopped';
    if (outcome !== 'ready') return outcome;
    this.#keepSpare();
    void this.#keepRunning(ending);
    return outcome;
  }

  async #keepRunning(ending) {
    const since = performance.now();
    const reason = await this.#exited;
    if (performance.now() - since > STABLE_MS) this.#waitMs = RESTART_FIRST_MS;
    await this.#revive(reason, ending);
  }

  async #revive(reason, ending) {
    while (!ending.aborted) {
      this.context.report(
        `the ${this.name} ended unexpectedly (${reason}): starting it again in ${this.#waitMs} ms`,
      );
      await sleep(this.#waitMs, undefined, { signal: ending }).catch(() => {});
      if (ending.aborted) return;
      this.#waitMs = Math.min(this.#waitMs * 2, RESTART_MAX_MS);
      reason = await this.#spawn();
      if (reason === 'ready') return this.context.report(`the ${this.name} is ready again`);
      // It is being asked to finish, and may have begun something.
      if (reason === 'stopped') return;
      this.#child.kill('SIGKILL');
    }
  }
}

const isRunning = (child) => child !== null && child.exitCode === null && child.signalCode === null;

// Supervises one process of the service: restarts it after a crash, and stops it gracefully.
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from './fault.mjs';
import { identify } from './processes.mjs';
import { spawnWithSecrets } from './secrets.mjs';
import { root } from './workspace.mjs';

const READY_LIMIT_MS = 60_000;
/** The process itself takes at most 10 seconds; the rest is for a busy machine. */
const DRAIN_LIMIT_MS = 12_000;
const RESTART_FIRST_MS = 250;
const RESTART_MAX_MS = 10_000;
const STABLE_MS = 60_000;

export class SupervisedProcess {
  #child = null;
  #exited = null;
  #stopped = false;
  /** Aborted when a stop or a restart ends the present process. */
  #ending = new AbortController();
  #waitMs = RESTART_FIRST_MS;
  /** Whether the present process has become ready, so that it may have work in flight. */
  #working = false;

  /**
   * @param {string} name
   * @param {string} program path of a script
   * @param {object} context
   * @param {NodeJS.ProcessEnv} context.env
   * @param {(line: string) => void} context.report
   * @param {() => void} context.changed called when the set of processes changes
   * @param {string[]} [context.flags] options of Node
   */
  constructor(name, program, context) {
    this.name = name;
    this.program = program;
    this.context = context;
  }

  get identities() {
    const children = this.#child?.pid === undefined ? [] : [this.#child];
    return children.map((child) => identify(child.pid)).filter(Boolean);
  }

  /**
   * The first start is not retried, because it would fail again.
   *
   * @param {Promise<unknown>} [prepared] the process only loads its code until this resolves
   * @throws the reason if `prepared` is rejected, which ends the process
   */
  async start(prepared) {
    const outcome = await this.#spawn(prepared);
    if (outcome === 'ready' || outcome === 'stopped') return;
    await this.stop(AbortSignal.abort());
    throw new Fault(`the ${this.name} did not start (${outcome})`);
  }

  /**
   * Replaces the process, whether or not it is still running.
   *
   * @param {number} limitMs the time that the old process has for work in flight
   * @returns {Promise<string>} `ready`, `stopped`, or why the new process is not ready; not retried
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
    return outcome;
  }

  /**
   * Lets the process finish its work in flight, and kills it after a time limit or when `hurry` is aborted.
   *
   * @param {AbortSignal} hurry
   * @returns {Promise<string | null>} a message if the process was killed with work in flight
   */
  async stop(hurry) {
    this.#stopped = true;
    this.#ending.abort();
    const reason = await this.#end(DRAIN_LIMIT_MS, hurry);
    if (!this.#working || reason === null || reason === 'exit code 0') return null;
    return `the ${this.name} was ended with work in flight (${reason})`;
  }

  /** @returns {Promise<string | null>} how the process ended; null if none was running */
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

  /** @returns {Promise<string>} `ready`, `stopped`, or why the process is not ready */
  async #spawn(prepared) {
    const ending = this.#ending.signal;
    const child = this.#launch(prepared);
    this.#child = child;
    this.#working = false;
    this.#exited = new Promise((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`));
    });
    this.context.changed();
    await prepared;
    // It ended while it waited, which may take hours on a full disk.
    if (!isRunning(child)) return this.#spawn();
    return this.#watch(child, ending);
  }

  #launch(prepared) {
    const { env, flags = [] } = this.context;
    // Detached, so that Ctrl-C reaches only the supervisor, which stops everything in order. The process learns from the
    // IPC channel when its supervisor is gone.
    return spawnWithSecrets(process.execPath, ['--enable-source-maps', ...flags, this.program], {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
      after: prepared,
    });
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
      // It is being stopped, and may have work in flight.
      if (reason === 'stopped') return;
      this.#child.kill('SIGKILL');
    }
  }
}

const isRunning = (child) => child !== null && child.exitCode === null && child.signalCode === null;

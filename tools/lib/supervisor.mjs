// Keeps one process of the service running, and ends it in order.
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

export class SupervisedProcess {
  #child = null;
  #exited = null;
  #stopping = new AbortController();
  #waitMs = RESTART_FIRST_MS;
  /** Whether the present process has taken up work. */
  #working = false;

  /**
   * @param {string} name
   * @param {string} program path of a script
   * @param {{ env: NodeJS.ProcessEnv, report: (line: string) => void, changed: () => void }} context
   *   `changed` is called whenever another process stands behind this one
   */
  constructor(name, program, context) {
    this.name = name;
    this.program = program;
    this.context = context;
  }

  get identity() {
    return this.#child?.pid === undefined ? null : identify(this.#child.pid);
  }

  /** Starts it for the first time. What fails now would fail again: there is no second try. */
  async start() {
    const outcome = await this.#spawn();
    if (outcome === 'ready' || outcome === 'stopped') return;
    await this.stop(AbortSignal.abort());
    throw new Fault(`the ${this.name} did not start (${outcome})`);
  }

  /**
   * Asks it to finish what it has in flight; ends it when that takes too long, or when there is a hurry.
   *
   * @param {AbortSignal} hurry
   * @returns {Promise<string | null>} what to tell when it ended before it had finished
   */
  async stop(hurry) {
    this.#stopping.abort();
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    const kill = () => child.kill('SIGKILL');
    const limit = setTimeout(kill, DRAIN_LIMIT_MS);
    if (hurry.aborted) kill();
    else hurry.addEventListener('abort', kill, { once: true });
    child.kill('SIGTERM');
    const reason = await this.#exited;
    clearTimeout(limit);
    if (!this.#working || reason === 'exit code 0') return null;
    return `the ${this.name} was ended with work in flight (${reason})`;
  }

  /** @returns {Promise<string>} `ready`, or why it is not */
  #spawn() {
    // A group of its own: Ctrl-C in the terminal reaches the supervisor alone, which stops things in order.
    // The channel is how the process learns that its supervisor is gone (G19).
    const child = spawnWithSecrets(process.execPath, ['--enable-source-maps', this.program], {
      cwd: root,
      env: this.context.env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    this.#child = child;
    this.#working = false;
    this.#exited = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`));
    });
    this.context.changed();
    return this.#watch(child);
  }

  async #watch(child) {
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
    if (this.#stopping.signal.aborted) return 'stopped';
    if (outcome === 'ready') void this.#keepRunning();
    return outcome;
  }

  async #keepRunning() {
    const since = performance.now();
    const reason = await this.#exited;
    if (performance.now() - since > STABLE_MS) this.#waitMs = RESTART_FIRST_MS;
    await this.#restart(reason);
  }

  async #restart(reason) {
    while (!this.#stopping.signal.aborted) {
      this.context.report(
        `the ${this.name} ended unexpectedly (${reason}): starting it again in ${this.#waitMs} ms`,
      );
      await sleep(this.#waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#stopping.signal.aborted) return;
      this.#waitMs = Math.min(this.#waitMs * 2, RESTART_MAX_MS);
      reason = await this.#spawn();
      if (reason === 'ready') return this.context.report(`the ${this.name} is ready again`);
      // It is being asked to finish, and may have begun something.
      if (reason === 'stopped') return;
      this.#child.kill('SIGKILL');
    }
  }
}

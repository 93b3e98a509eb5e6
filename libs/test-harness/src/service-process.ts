import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App, Program } from './program';

const ROOT = path.resolve(__dirname, '../../..');
const READY_LIMIT_MS = 60_000;
/** Node options of the processes, as under `npm start`. */
const FLAGS = { api: ['--max-semi-space-size=32'], worker: [] } as const;

/** A process of the service, started from a build. */
export class ServiceProcess implements Program {
  private constructor(
    private readonly child: ChildProcess,
    private readonly output: string[],
  ) {}

  /**
   * Resolves when the process is ready. Throws with its output if it ends before, or takes too long.
   *
   * @param root the checkout whose build runs; by default this one
   */
  static async start(app: App, env: Readonly<Record<string, string>>, root = ROOT): Promise<ServiceProcess> {
    const program = path.join(root, 'dist/apps', app, 'src/main.js');
    const child = spawn(process.execPath, [...FLAGS[app], program], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A session of its own, as under `npm start`: Linux divides the processors between sessions.
      detached: true,
    });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const started = new ServiceProcess(child, output);
    const outcome = await firstOf(child);
    if (outcome === 'ready') return started;
    await started.kill('SIGKILL');
    throw new Error(`the ${app} ${outcome}:\n${started.log}`);
  }

  /** All output of the process. */
  get log(): string {
    return this.output.join('');
  }

  /** Resolves when the process has ended, with the signal that ended it or its exit code. */
  get ended(): Promise<NodeJS.Signals | number | null> {
    const outcome = () => this.child.signalCode ?? this.child.exitCode;
    return outcome() === null ? once(this.child, 'exit').then(outcome) : Promise.resolve(outcome());
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process did not start');
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) {
      const exited = once(this.child, 'exit');
      this.child.kill(signal);
      await exited;
    }
    return this.child.exitCode;
  }

  /** Resolves with its exit code. */
  stop(): Promise<number | null> {
    return this.kill('SIGTERM');
  }

  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }
}

async function firstOf(child: ChildProcess): Promise<string> {
  const finished = new AbortController();
  const { signal } = finished;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(() => 'ready'),
      once(child, 'exit', { signal }).then(() => 'ended before it was ready'),
      sleep(READY_LIMIT_MS, `was not ready within ${READY_LIMIT_MS} ms`, { signal }),
    ]);
  } finally {
    finished.abort();
  }
}

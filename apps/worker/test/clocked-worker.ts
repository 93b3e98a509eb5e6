import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Clock } from '@counterfoil/kernel';

/** A time shared by several processes. It stands still until it is set. */
export class SharedClock extends Clock {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-clock-'));
  readonly file = path.join(this.folder, 'now');

  constructor(private time: Date) {
    super();
    this.set(time);
  }

  override now(): Date {
    return this.time;
  }

  set(time: Date): void {
    this.time = time;
    // Replaced atomically, so that no process reads a partial time.
    fs.writeFileSync(`${this.file}.next`, time.toISOString());
    fs.renameSync(`${this.file}.next`, this.file);
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true });
  }
}

/** A worker process that uses the time of a shared clock. */
export class ClockedWorker {
  private readonly output: string[] = [];
  private isReady = false;

  private constructor(private readonly child: ChildProcess) {
    child.once('message', () => (this.isReady = true));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
  }

  /** @param env the complete environment of the process */
  static start(clock: SharedClock, env: Readonly<Record<string, string>>): ClockedWorker {
    const told = JSON.stringify({ timeFile: clock.file, env });
    const script = path.join(__dirname, 'worker-by-clock.mjs');
    return new ClockedWorker(
      spawn(process.execPath, [script, told], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }),
    );
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** True if the worker has started to work. */
  get works(): boolean {
    return this.isReady && this.isRunning;
  }

  /** The signal or exit code with which it ended; null while it runs. */
  get endedBy(): NodeJS.Signals | number | null {
    return this.child.signalCode ?? this.child.exitCode;
  }

  get log(): string {
    return this.output.join('');
  }

  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    if (!this.isRunning) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }
}

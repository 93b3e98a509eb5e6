import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly fault?: string;
}

/**
 * Runs a script of this folder in a separate process and calls its functions. The process ends with this one. It
 * has a session of its own, because Linux divides the processors between sessions first.
 */
export class SideProcess {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private calls = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly script: string,
  ) {
    child.on('message', (answer: Answer) => this.settle(answer));
    child.once('exit', () => {
      for (const id of [...this.waiting.keys()]) this.settle({ id, fault: 'ended' });
    });
  }

  static start(script: string): SideProcess {
    const child = spawn(process.execPath, [path.join(__dirname, script)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    });
    return new SideProcess(child, script);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`${this.script} did not start`);
    return this.child.pid;
  }

  /** @throws Error if the function throws or the process has ended */
  call<Result>(method: string, ...args: readonly unknown[]): Promise<Result> {
    const id = this.calls++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ result, fault }) => {
        if (fault === undefined) resolve(result as Result);
        else reject(new Error(`${this.script}, ${method}: ${fault}`));
      });
      if (!this.child.connected) return this.settle({ id, fault: 'ended' });
      this.child.send({ id, method, args });
    });
  }

  /** Resolves when the process has cleaned up and ended. */
  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    if (this.child.connected) this.child.disconnect();
    await exited;
  }

  private settle(answer: Answer): void {
    const resolve = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    resolve?.(answer);
  }
}

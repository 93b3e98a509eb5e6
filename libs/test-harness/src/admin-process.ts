import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

export interface AdminOutcome {
  /** Null if a signal has ended the command. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A running admin command. */
export class AdminProcess {
  private output = '';
  private errors = '';
  private readonly child: ChildProcess;
  private readonly closed: Promise<unknown>;

  /** @param root the checkout whose build runs; by default this one */
  constructor(args: readonly string[], env: Readonly<Record<string, string>>, root = ROOT) {
    const program = path.join(root, 'dist/apps/admin/src/main.js');
    this.child = spawn(process.execPath, [program, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (printed: string) => (this.output += printed));
    this.child.stderr?.setEncoding('utf8').on('data', (printed: string) => (this.errors += printed));
    this.closed = once(this.child, 'close');
  }

  /** The output on standard error so far. */
  get progress(): string {
    return this.errors;
  }

  async outcome(): Promise<AdminOutcome> {
    await this.closed;
    return { code: this.child.exitCode, output: this.output, errors: this.errors };
  }

  /** Sends a signal that the command may handle. */
  interrupt(signal: 'SIGINT' | 'SIGTERM'): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
  }
}

/**
 * Runs an admin command of this checkout in the process that tests share (tools/testing/admin-process.cjs), or one of
 * another checkout in a process of its own.
 *
 * @param root the other checkout
 */
export async function runBeside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  root?: string,
): Promise<AdminOutcome> {
  if (root !== undefined) return new AdminProcess(args, env, root).outcome();
  const url = process.env['TEST_ADMIN_URL'];
  if (!url) throw new Error('TEST_ADMIN_URL is not set; the Jest set-up of end-to-end tests sets it');
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ env, args }) });
  if (!response.ok) throw new Error(`${args.join(' ')} did not run: ${await response.text()}`);
  return (await response.json()) as AdminOutcome;
}

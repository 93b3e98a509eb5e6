import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePorts, until } from '@counterfoil/test-harness';

const ROOT = path.resolve(__dirname, '../../..');

const READY_LIMIT_MS = 50_000;

/** The resources of one start: a data folder and ports. */
export interface Surroundings {
  readonly dataDir: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

export async function newSurroundings(): Promise<Surroundings> {
  const dataDir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil start ')), 'data');
  const [port = 0, metrics, workerMetrics] = await freePorts(3);
  const env = {
    DATA_DIR: dataDir,
    PORT: `${port}`,
    METRICS_PORT: `${metrics}`,
    WORKER_METRICS_PORT: `${workerMetrics}`,
    LOG_LEVEL: 'warn',
  };
  return { dataDir, port, env };
}

/** A data folder as a first start leaves it. It is copied, because creating one takes most of the time of a start. */
export class StartedFolder {
  private constructor(private readonly surroundings: Surroundings) {}

  static async create(): Promise<StartedFolder> {
    const surroundings = await newSurroundings();
    const tool = start(surroundings);
    try {
      await tool.prints('Ready in');
      tool.pressCtrlC();
      const code = await tool.exited;
      if (code !== 0) throw new Error(`the first start ended with ${code}: ${tool.stderr}`);
    } catch (error) {
      await cleanUp(surroundings, [tool]);
      throw error;
    }
    return new StartedFolder(surroundings);
  }

  copyTo(dataDir: string): void {
    fs.cpSync(this.surroundings.dataDir, dataDir, { recursive: true, preserveTimestamps: true });
  }

  delete(): Promise<void> {
    return cleanUp(this.surroundings, []);
  }
}

/** Listens on a free port, and accepts connections without ever answering. */
export async function listenAnywhere(): Promise<{ port: number; close: () => void }> {
  const accepted: net.Socket[] = [];
  const take = (socket: net.Socket) => void accepted.push(socket.on('error', () => undefined));
  const server = net.createServer(take).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of accepted) socket.destroy();
  };
  return { port: (server.address() as net.AddressInfo).port, close };
}

/** A running tool of the repository, with its output so far. */
export class Tool {
  stdout = '';
  stderr = '';
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  /** `output`: a file that gets all output, instead of `stdout` and `stderr`. */
  constructor(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    { folder = ROOT, output = 'pipe' }: { readonly folder?: string; readonly output?: number | 'pipe' } = {},
  ) {
    const [program = '', ...args] = command;
    // Excludes the environment of this test run, such as its stores and npm's variables.
    const clean = {
      PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      HOME: os.homedir(),
    };
    this.child = spawn(program, args, {
      cwd: folder,
      env: { ...clean, ...env },
      stdio: ['ignore', output, output],
      detached: true,
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`it did not start: ${this.stderr}`);
    return this.child.pid;
  }

  /** Waits for a text in the output. Fails with the whole output if the tool exits first. */
  async prints(text: string): Promise<void> {
    let code: number | null | undefined;
    void this.exited.then((status) => (code = status));
    await until(
      `"${text}" or an end`,
      () => this.stdout.includes(text) || code !== undefined,
      READY_LIMIT_MS,
    ).catch(() => {});
    if (!this.stdout.includes(text))
      throw new Error(`"${text}" was not printed (exit ${code}):\n${this.stdout}${this.stderr}`);
  }

  /** Simulates Ctrl-C in a terminal: the signal goes to the whole foreground group. */
  pressCtrlC(): void {
    process.kill(-this.pid, 'SIGINT');
  }

  /** Closes the output, like `| head` does. */
  stopReading(): void {
    this.child.stdout?.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** Ends the tool and what it started, also if the tool itself has ended already. */
  endGroup(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

export const start = (
  surroundings: Surroundings,
  env: Readonly<Record<string, string>> = {},
  output: number | 'pipe' = 'pipe',
): Tool => new Tool([process.execPath, 'tools/start.mjs'], { ...surroundings.env, ...env }, { output });

/** Returns the processes recorded in a data folder: the supervisor, its two children, PostgreSQL. */
export function processesOf({ dataDir }: Surroundings): {
  supervisor: number;
  children: number[];
  postgres: number;
} {
  const lock = JSON.parse(fs.readFileSync(path.join(dataDir, 'lock.json'), 'utf8')) as {
    pid: number;
    children: { pid: number }[];
  };
  return {
    supervisor: lock.pid,
    children: lock.children.map(({ pid }) => pid),
    postgres: postgresPid(dataDir),
  };
}

export const postgresOf = ({ dataDir }: Surroundings): number => postgresPid(dataDir);

function postgresPid(dataDir: string): number {
  return Number(fs.readFileSync(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** A zombie counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !fs.existsSync('/proc/self') || !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

export const waitUntilGone = (pids: readonly number[], limitMs: number): Promise<boolean> =>
  until('the end of all processes', () => !pids.some(isAlive), limitMs);

/** Ends all processes of a failed test, and deletes its data folder. */
export async function cleanUp({ dataDir }: Surroundings, tools: readonly Tool[]): Promise<void> {
  for (const tool of tools) tool.endGroup();
  const pids = fs.existsSync(path.join(dataDir, 'postgres/postmaster.pid')) ? [postgresPid(dataDir)] : [];
  for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGQUIT');
  await waitUntilGone(pids, 10_000);
  fs.rmSync(path.dirname(dataDir), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

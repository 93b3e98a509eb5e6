import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PROGRAM = path.resolve(__dirname, '../../../dist/apps/cli/src/main.js');

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A home folder of its own, in which the program runs as a process. */
export class CliHome {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-cli-'));
  readonly loginFile = path.join(this.folder, 'config/counterfoil/logins.json');
  /** The environment of each run. Tests add to it. */
  readonly env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: this.folder,
    XDG_CONFIG_HOME: path.join(this.folder, 'config'),
    TERM: 'xterm-256color',
  };

  /** Logs in by the environment. */
  use(url: string, key: string): this {
    Object.assign(this.env, { COUNTERFOIL_URL: url, COUNTERFOIL_KEY: key });
    return this;
  }

  /** The program as a command of a shell. */
  get command(): string {
    return `'${process.execPath}' '${PROGRAM}'`;
  }

  write(name: string, content: string | Buffer): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, content);
    return file;
  }

  start(args: readonly string[], input: string | null = '') {
    const child = spawn(process.execPath, ['--enable-source-maps', PROGRAM, ...args], {
      cwd: this.folder,
      env: this.env,
    });
    if (input !== null) child.stdin.end(input);
    return child;
  }

  async run(args: readonly string[], input = ''): Promise<Ended> {
    return ended(this.start(args, input));
  }

  /** The lines of JSON that a command prints which must succeed. */
  async json<Row>(...args: readonly string[]): Promise<Row[]> {
    const { exitCode, stdout, stderr } = await this.run([...args, '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  }

  /** Starts a command on a terminal, which is that of `script`. Both of its outputs are one. */
  onTerminal(args: readonly string[]) {
    const command = [this.command, ...args.map((word) => `'${word}'`)].join(' ');
    return spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
      cwd: this.folder,
      env: { ...this.env, SHELL: '/bin/sh' },
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function ended(child: ReturnType<CliHome['start']>): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr };
}

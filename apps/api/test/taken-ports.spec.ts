import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@counterfoil/test-harness';
import { ROOT } from './projects';

const SCRIPT = `
  import { explainTakenPorts } from './tools/lib/taken-ports.mjs';
  const [taken, wanted] = JSON.parse(process.argv[1]);
  console.log(JSON.stringify(await explainTakenPorts(taken, wanted)));
`;
const LISTEN = `
  const server = require('net').createServer().listen(Number(process.argv[2] ?? 0), process.argv[3] ?? '127.0.0.1');
  server.on('listening', () => console.log(server.address().port));
`;

interface Listener {
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

let folder: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'another checkout ')));
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  fs.rmSync(folder, { recursive: true });
});

/** Starts a process that listens. Returns its port and pid. */
async function listening(program: string, ...args: string[]): Promise<{ port: number; pid: number }> {
  const file = path.join(folder, program);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, LISTEN);
  const child = spawn(process.execPath, [file, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(printed.toString()), pid: child.pid ?? 0 };
}

async function explained(
  taken: readonly Listener[],
  wanted = taken,
  settings: NodeJS.ProcessEnv = {},
): Promise<string[]> {
  const args = ['--input-type=module', '-e', SCRIPT, JSON.stringify([taken, wanted])];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...settings },
  });
  return JSON.parse(stdout) as string[];
}

const api = (port: number, host = '127.0.0.1'): Listener => ({ name: 'PORT', port, host });

describe('taken ports', () => {
  it('are explained by the Counterfoil of another checkout', async () => {
    const { port, pid } = await listening('dist/apps/api/src/main.js');
    const [line] = await explained([api(port)]);
    expect(line).toBe(
      `port ${port} on 127.0.0.1 (PORT) is taken by the API of a Counterfoil (pid ${pid}) in ${folder}`,
    );
  });

  it('are explained by any other process, with its command and folder', async () => {
    const { port, pid } = await listening('server.js', '0', '::');
    const [line] = await explained([api(port)]);
    expect(line).toBe(
      `port ${port} on 127.0.0.1 (PORT) is taken by pid ${pid} (${process.execPath} ${folder}/server.js 0 ::) in ${folder}`,
    );
  });

  it('do not show control characters of a command, nor all of a long one', async () => {
    const { port } = await listening('server.js', '0', '127.0.0.1', '\u001b[2J\nport 1', 'x'.repeat(500));
    const [line = ''] = await explained([api(port)]);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(line).toContain('…) in ');
    expect(line.length).toBeLessThan(400);
  });

  it('come with a command that starts beside them, on free ports', async () => {
    const first = await listening('server.js');
    const second = await listening('server.js', `${first.port + 100}`).catch(() => null);
    const metrics = { name: 'METRICS_PORT', port: first.port + 200, host: '127.0.0.1' };
    const lines = await explained([api(first.port)], [api(first.port), metrics]);
    const [, port] =
      /^stop what listens there, or start beside it: PORT=(\d+) npm start$/.exec(lines[1] ?? '') ?? [];
    expect(port).toBeDefined();
    expect([first.port, second?.port, metrics.port]).not.toContain(Number(port));
    await listening('server.js', port ?? '');
  });

  it('come with a command that keeps the other ports that were chosen', async () => {
    const { port } = await listening('server.js');
    const metrics = { name: 'METRICS_PORT', port: port + 200, host: '127.0.0.1' };
    const lines = await explained([metrics], [api(port + 1), metrics], { PORT: String(port + 1) });
    expect(lines.at(-1)).toMatch(new RegExp(`: PORT=${port + 1} METRICS_PORT=\\d+ npm start$`));
  });

  it('beyond the highest of them have a proposal, too', async () => {
    const lines = await explained([api(65_530)]);
    expect(lines.at(-1)).toMatch(/: PORT=\d+ npm start$/);
  });

  it('of a process that cannot be found are named all the same', async () => {
    const [port = 0] = await freePorts(1);
    const [line] = await explained([api(port)]);
    expect(line).toBe(`port ${port} on 127.0.0.1 (PORT) is taken by a process that this user cannot see`);
  });
});

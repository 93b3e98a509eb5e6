// A PgBouncer in front of a PostgreSQL: see own-pgbouncer.ts. It ends with the process that started it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { answerCalls } from './answer-calls.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-pgbouncer-'));
let pooler = null;

/** @param {{ program: string, port: number, serverUrl: string, users: Record<string, string>, settings: Record<string, string | number> }} of */
async function start({ program, port, serverUrl, users, settings }) {
  const { hostname, port: serverPort } = new URL(serverUrl);
  const ini = [
    '[databases]',
    `* = host=${hostname} port=${serverPort || 5432}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'pool_mode = transaction',
    'auth_type = trust',
    `auth_file = ${path.join(folder, 'users.txt')}`,
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ];
  const known = Object.entries(users).map(([name, password]) => `"${name}" "${password}"`);
  fs.writeFileSync(path.join(folder, 'users.txt'), `${known.join('\n')}\n`);
  fs.writeFileSync(path.join(folder, 'pgbouncer.ini'), `${ini.join('\n')}\n`);
  // It refuses to run as root, and the other account must be able to read its files.
  const account = process.getuid() === 0 ? ['-u', 'nobody'] : [];
  fs.chmodSync(folder, 0o755);
  pooler = spawn(program, ['-q', ...account, path.join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
}

async function kill() {
  const exited = once(pooler, 'exit');
  pooler.kill('SIGKILL');
  await exited;
}

answerCalls({ start, kill }, () => {
  pooler?.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
});

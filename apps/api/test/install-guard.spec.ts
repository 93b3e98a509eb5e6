import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './projects';

const HOLD = `
  import { DataDirLock } from './tools/lib/data-dir-lock.mjs';
  const lock = new DataDirLock(process.env.DATA_DIR, process.argv[1]);
  await lock.take();
  if (process.argv[2]) lock.note({ checkout: process.argv[2] });
  console.log('held');
  setInterval(() => {}, 1_000);
`;
const CHECK = `
  import { assertNoServiceRuns } from './tools/lib/workspace.mjs';
  try { assertNoServiceRuns(); console.log('may install'); } catch (error) { console.log(error.message); }
`;
const script = (code: string, ...args: string[]) => ['--input-type=module', '-e', code, ...args];

/** The outcome of an installation while another process holds the lock of the data folder. */
async function outcomeBeside(...holder: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-lock-')) };
  const held = spawn(process.execPath, script(HOLD, ...holder), { cwd: ROOT, env });
  try {
    await once(held.stdout, 'data');
    const { stdout } = spawnSync(process.execPath, script(CHECK), { cwd: ROOT, env, encoding: 'utf8' });
    return stdout.trim().replace(`${held.pid}`, 'PID');
  } finally {
    held.kill('SIGKILL');
    await once(held, 'exit');
    fs.rmSync(env.DATA_DIR, { recursive: true });
  }
}

describe('an installation of packages', () => {
  it('is refused while a service runs from the same checkout', async () => {
    expect(await outcomeBeside('service')).toBe(
      'more packages are needed, and Counterfoil runs from this checkout (pid PID): stop it and try again, because installing would replace packages that it uses',
    );
  });

  it.each([['command'], ['service', '/another/checkout']])('is allowed beside a %s %s', async (...holder) => {
    expect(await outcomeBeside(...holder)).toBe('may install');
  });
});

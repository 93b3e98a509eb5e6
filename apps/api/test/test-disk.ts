import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Set in CI, where mounting needs sudo. If mounting fails there, the test fails instead of being skipped. */
const BY_SUDO = process.env['TEST_FULL_DISK'] === 'sudo';

function execute(...command: readonly [string, ...string[]]): void {
  const [program, ...args] = BY_SUDO ? (['sudo', '-n', ...command] as const) : command;
  execFileSync(program, args, { stdio: 'ignore' });
}

/** @param options of a tmpfs, such as `size=250m` or `ro` */
export function mountDisk(folder: string, options: string): void {
  const owner = `uid=${process.getuid?.() ?? 0},gid=${process.getgid?.() ?? 0}`;
  execute('mount', '-t', 'tmpfs', '-o', `${options},mode=711,${owner}`, 'tmpfs', folder);
}

export function unmountDisk(folder: string): void {
  execute('umount', '-l', folder);
}

/** Root on Linux may mount, but not in most containers. */
function mayMount(): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-disk-'));
  try {
    mountDisk(folder, 'size=64k');
    unmountDisk(folder);
    return true;
  } catch {
    return false;
  } finally {
    fs.rmdirSync(folder);
  }
}

const isRun = BY_SUDO || mayMount();
if (!isRun)
  process.stderr.write(
    'tests of full disks are SKIPPED: this user may mount nothing. Run them as root, or with TEST_FULL_DISK=sudo\n',
  );

/** Skipped, and reported as skipped, if this user may not mount. */
export const whereItMayMount = isRun ? describe : describe.skip;

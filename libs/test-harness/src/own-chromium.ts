import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/** The installed Chromium; undefined if there is none. */
export const [chromiumProgram] = ['chromium', 'google-chrome'].filter(
  (name) => spawnSync(name, ['--version']).status === 0,
);

export function launchChromium(): Promise<Browser> {
  if (chromiumProgram === undefined) throw new Error('Chromium is not installed');
  const executablePath = spawnSync('which', [chromiumProgram], { encoding: 'utf8' }).stdout.trim();
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

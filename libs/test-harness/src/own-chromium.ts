import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

/** The installed Chromium; undefined if there is none. */
export const [chromiumProgram] = ['chromium', 'google-chrome'].filter(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/**
 * Chromium draws the pop-ups of its address bar as pages in a process of their own, which each tab starts anew. Nothing
 * shows them here, and they took half of the processor time of a test.
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];

/** Chromium starts a process for a page that nobody has opened yet, for each context. */
const SPARE_PROCESS = 'SpareRendererForSitePerProcess';

/** Off under Playwright. Chromium reads only the last of several lists, so ours repeats them. */
const PLAYWRIGHT = [
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'AimEnabled'],
  ...['DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay'],
  ...['MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  ...['TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning'],
  ...['msEdgeUpdateLaunchServicesPreferredVersion', 'msForceBrowserSignIn'],
];

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  `--disable-features=${[...ADDRESS_BAR, SPARE_PROCESS, ...PLAYWRIGHT].join()}`,
];

export function launchChromium(): Promise<Browser> {
  if (chromiumProgram === undefined) throw new Error('Chromium is not installed');
  const executablePath = spawnSync('which', [chromiumProgram], { encoding: 'utf8' }).stdout.trim();
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

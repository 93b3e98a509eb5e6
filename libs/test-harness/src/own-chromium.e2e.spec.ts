import fs from 'node:fs';
import { chromiumProgram, launchChromium } from './own-chromium';
import { processFamily } from './process-family';

const FEATURES = '--disable-features=';

/** The lists of features that are off in the Chromium of this process, in the order of its command line. */
function disabledFeatures(): string[][] {
  const lines = processFamily(process.pid).map((id) => {
    const file = `/proc/${id}/cmdline`;
    // A process may end meanwhile.
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\0') : [];
  });
  const browser = lines.find(
    (words) => words.includes('--no-sandbox') && !words.some((word) => /^--type=/.test(word)),
  );
  return (browser ?? [])
    .filter((word) => word.startsWith(FEATURES))
    .map((word) => word.slice(FEATURES.length).split(','));
}

(chromiumProgram === undefined || process.platform !== 'linux' ? describe.skip : describe)(
  'Chromium of the tests',
  () => {
    it('has the features off that Playwright turns off, in the list that counts', async () => {
      const browser = await launchChromium();
      const lists = disabledFeatures();
      await browser.close();
      expect(lists).toHaveLength(2);
      const [playwright, last] = lists;
      expect(playwright!.length).toBeGreaterThan(5);
      expect(last).toEqual(expect.arrayContaining([...playwright!, 'WebUIOmniboxPopup']));
    });
  },
);

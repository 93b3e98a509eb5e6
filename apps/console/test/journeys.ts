import { chromiumProgram, queueStores, startService, type TestService } from '@counterfoil/test-harness';
import type { Language } from '../src/app/messages.ts';
import { ConsoleBrowser } from './console-browser';
import { type Say, sayIn } from './words';

const LONGEST_MS = 300_000;
/** Some areas begin with thousands of records. */
const SET_UP_MS = 900_000;
/** The journeys do not measure how long a receipt takes, and a photo takes long while other tests run. */
const PATIENT = { EXTRACTION_TIMEOUT: '2m' };

export interface Console {
  readonly service: TestService;
  readonly browser: ConsoleBrowser;
}

interface SetUp {
  /** Settings of the service. What they name is started here. */
  readonly settings?: () => Promise<Readonly<Record<string, string>>>;
  /** Takes the service and the browser, and records what the journeys begin with. */
  readonly given: (console: Console) => void | Promise<void>;
  /** Those that the journeys are run in, one after the other: each with a service of its own. English if missing. */
  readonly languages?: readonly Language[];
}

/** Declares journeys that are run in one language. They name the texts of the console by what `say` returns. */
type Define = (language: Language, say: Say) => void;

/**
 * Declares the journeys of one area: in Chromium, with a service of their own, a new context for each. Without a
 * browser nothing is started, and one test says so.
 */
export function journeys(area: string, { settings, given, languages = ['en'] }: SetUp, define: Define): void {
  if (chromiumProgram === undefined) {
    describe(`${area}, without a browser`, () => {
      it('nothing is tried: none is installed', () => expect(chromiumProgram).toBeUndefined());
    });
    return;
  }
  jest.setTimeout(LONGEST_MS);
  describe.each(languages)(`${area}, in Chromium: %s`, (language) => {
    let service: TestService | undefined;
    let browser: ConsoleBrowser | undefined;

    beforeAll(async () => {
      service = await startService(queueStores()[0]!, { ...PATIENT, ...(await settings?.()) });
      browser = await ConsoleBrowser.launch(service, language);
      await given({ service, browser });
    }, SET_UP_MS);

    afterAll(async () => {
      await browser?.close();
      await service?.stop();
    });

    afterEach(async () => {
      await browser?.leave();
    });

    define(language, sayIn(language));
  });
}

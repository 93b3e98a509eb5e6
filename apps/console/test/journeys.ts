import { chromiumProgram, queueStores, startService, type TestService } from '@counterfoil/test-harness';
import { ConsoleBrowser } from './console-browser';

const LONGEST_MS = 300_000;
/** Some areas begin with thousands of records. */
const SET_UP_MS = 900_000;

export interface Console {
  readonly service: TestService;
  readonly browser: ConsoleBrowser;
}

interface SetUp {
  /** Settings of the service. What they name is started here. */
  readonly settings?: () => Promise<Readonly<Record<string, string>>>;
  /** Takes the service and the browser, and records what the journeys begin with. */
  readonly given: (console: Console) => void | Promise<void>;
}

/**
 * Declares the journeys of one area: in Chromium, with a service of their own, a new context for each. Without a
 * browser nothing is started, and one test says so.
 */
export function journeys(area: string, { settings, given }: SetUp, define: () => void): void {
  if (chromiumProgram === undefined) {
    describe(`${area}, without a browser`, () => {
      it('nothing is tried: none is installed', () => expect(chromiumProgram).toBeUndefined());
    });
    return;
  }
  jest.setTimeout(LONGEST_MS);
  describe(`${area}, in Chromium`, () => {
    let service: TestService | undefined;
    let browser: ConsoleBrowser | undefined;

    beforeAll(async () => {
      service = await startService(queueStores()[0]!, await settings?.());
      browser = await ConsoleBrowser.launch(service);
      await given({ service, browser });
    }, SET_UP_MS);

    afterAll(async () => {
      await browser?.close();
      await service?.stop();
    });

    afterEach(async () => {
      await browser?.leave();
    });

    define();
  });
}

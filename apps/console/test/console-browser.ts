import path from 'node:path';
import { DEMO_KEY, launchChromium, type TestService, violationsOn } from '@counterfoil/test-harness';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Language } from '../src/app/messages.ts';
import { DONE, FOLLOW, GONE, SETTLED } from './in-page';
import { LOCALES } from './words';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** For the machines of contributors, where tests share two cores. */
const SHOWN_MS = 60_000;
/** Screenshots are written here, if the variable is set. */
const SHOTS = process.env['CONSOLE_SHOTS'];

/** How every page is looked at. */
export const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['en', { locale: 'en-GB' }],
  ['he', { locale: 'he-IL' }],
  ['dark', { locale: 'en-GB', colorScheme: 'dark' }],
  ['phone', { locale: 'he-IL', viewport: PHONE, isMobile: true }],
];

/** A page without flaws. */
export const SOUND = { problems: [], overflow: 0 };

/** Chromium with the console of a service, for the journeys of one area. */
export class ConsoleBrowser {
  page!: Page;
  /** Errors on the console of the page, breaches of its policy, and requests to other hosts. */
  faults: string[] = [];
  #context: BrowserContext | undefined;

  private constructor(
    private readonly service: TestService,
    private readonly browser: Browser,
    private readonly language: Language,
  ) {}

  /** @param language that it asks for, unless a context has another locale */
  static async launch(service: TestService, language: Language = 'en'): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(service, await launchChromium(), language);
  }

  /** The same Chromium, with a context of its own: what another person has. */
  another(): ConsoleBrowser {
    return new ConsoleBrowser(this.service, this.browser, this.language);
  }

  /** Opens a page of the console in a new context, and signs in. */
  async signIn(at = '', options: BrowserContextOptions = {}, key = DEMO_KEY): Promise<Page> {
    await this.open(at, options);
    await this.signInWith(key);
    await this.page.locator('.company').waitFor();
    return this.page;
  }

  async signInWith(key: string): Promise<void> {
    await this.page.getByLabel(/API/).fill(key);
    await this.page.keyboard.press('Enter');
  }

  /** Opens a page of the console in a new context. */
  async open(at = '', options: BrowserContextOptions = {}): Promise<Page> {
    await this.leave();
    const locale = LOCALES[this.language];
    this.#context = await this.browser.newContext({ viewport: DESKTOP, locale, ...options });
    this.page = await this.#context.newPage();
    this.page.setDefaultTimeout(SHOWN_MS);
    this.faults = [];
    this.page.on('console', (message) => message.type() === 'error' && this.faults.push(message.text()));
    this.page.on('pageerror', (error) => this.faults.push(String(error)));
    this.page.on('request', (request) => {
      if (!request.url().startsWith(this.service.url) && !/^(data|blob):/.test(request.url()))
        this.faults.push(request.url());
    });
    await this.goto(at);
    return this.page;
  }

  async goto(at: string): Promise<void> {
    await this.page.goto(`${this.service.url}/console/${at}`);
  }

  /** Goes to another page of the console as a link does, so that the console stays loaded. */
  async follow(at: string): Promise<void> {
    await this.#inPage(FOLLOW, `/console/${at}`, '/console/no-page', SHOWN_MS);
  }

  /** Holds requests back until the function is called that it returns. */
  async hold(requests: RegExp): Promise<() => void> {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await this.page.route(requests, async (route) => {
      await held;
      await route.continue();
    });
    return release;
  }

  heading(name: string | RegExp): Promise<void> {
    return this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  /** @param selector of CSS */
  async gone(selector: string): Promise<void> {
    await this.#inPage(GONE, selector, SHOWN_MS);
  }

  async settled(): Promise<void> {
    await this.#inPage(SETTLED, SHOWN_MS);
  }

  /** Violations of accessibility. */
  problems(): Promise<string[]> {
    return violationsOn(this.page);
  }

  /** By how many pixels the page is wider than its window. */
  async overflow(): Promise<number> {
    return this.page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
  }

  /** Returns the flaws of the page once it is settled: `SOUND` if there are none. */
  async flaws(): Promise<{ readonly problems: readonly string[]; readonly overflow: number }> {
    await this.settled();
    return { problems: await this.problems(), overflow: await this.overflow() };
  }

  /** @throws Error if the program has not said that it is done: Playwright evaluates a text that calls nothing, too */
  async #inPage(program: string, ...given: readonly (string | number)[]): Promise<void> {
    const answer = await this.page.evaluate<unknown>(`(${program})(...${JSON.stringify(given)})`);
    if (answer !== DONE) throw new Error('a program was not run in the page');
  }

  async shoot(name: string): Promise<void> {
    if (SHOTS) await this.page.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });
  }

  async leave(): Promise<void> {
    await this.#context?.close();
    this.#context = undefined;
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

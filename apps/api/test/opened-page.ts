import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { until } from '@counterfoil/test-harness';

/** The part of an element that the script of a payment page uses. */
class PageElement {
  textContent = '';
  hidden = false;
  focused = false;
  readonly attributes = new Map<string, string>();
  readonly listeners: ((event: { target: PageElement }) => void)[] = [];

  constructor(
    readonly dataset: Readonly<Record<string, string>>,
    private readonly buttons: readonly PageElement[] = [],
  ) {}

  focus(): void {
    this.focused = true;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  addEventListener(_: 'click', listener: (event: { target: PageElement }) => void): void {
    this.listeners.push(listener);
  }

  querySelectorAll(): readonly PageElement[] {
    return this.buttons;
  }

  closest(): PageElement {
    return this;
  }
}

/** A payment page as open in a browser: its script runs, and its requests are sent to the service. */
export class OpenedPage {
  private readonly buttons: readonly PageElement[];
  private readonly elements: ReadonlyMap<string, PageElement>;

  private constructor(
    readonly html: string,
    readonly headers: Headers,
    url: string,
  ) {
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(html) ?? [];
    expectAllowed(headers, 'script', script);
    expectAllowed(headers, 'style', /<style>(.*)<\/style>/s.exec(html)?.[1] ?? '');
    this.buttons = [...html.matchAll(/<button ([^>]*)>/g)].map(
      ([, tag = '']) => new PageElement(dataOf(tag)),
    );
    this.elements = new Map(
      [...html.matchAll(/<\w+ id="(\w+)"([^>]*)>/g)].map(([, id = '', tag = '']) => [
        id,
        new PageElement(dataOf(tag), id === 'cards' ? this.buttons : []),
      ]),
    );
    const { pathname } = new URL(url);
    vm.runInNewContext(script, {
      document: { getElementById: (id: string) => this.elements.get(id) ?? null },
      location: { pathname },
      fetch: (path: string, sent: RequestInit) => fetch(new URL(path, url), sent),
    });
  }

  static async at(url: string): Promise<OpenedPage> {
    const answer = await fetch(url);
    const html = await answer.text();
    expect({ status: answer.status, html }).toMatchObject({ status: 200 });
    return new OpenedPage(html, answer.headers, url);
  }

  /** The offered cards. */
  get cards(): readonly (string | undefined)[] {
    return this.buttons.map(({ dataset }) => dataset['token']);
  }

  get offersCards(): boolean {
    return this.elements.get('cards')?.hidden === false;
  }

  /** Chooses a card, and waits for the message of the page. */
  async choose(token: string): Promise<string> {
    const button = this.buttons.find(({ dataset }) => dataset['token'] === token)!;
    const [cards, outcome] = [this.elements.get('cards')!, this.elements.get('outcome')!];
    for (const listener of cards.listeners) listener({ target: button });
    expect(outcome.textContent).toBe(outcome.dataset['busy']);
    await until('an outcome', () => button.attributes.get('aria-disabled') === 'false');
    return outcome.textContent;
  }

  /** The message of the page after a card was chosen. */
  get standing(): string | undefined {
    return this.elements.get('status')?.textContent;
  }
}

function dataOf(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/data-(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** Asserts that the content security policy of the page allows it. */
function expectAllowed(headers: Headers, kind: 'script' | 'style', text: string): void {
  const hash = createHash('sha256').update(text).digest('base64');
  expect(text).not.toBe('');
  expect(headers.get('content-security-policy')).toContain(`${kind}-src 'sha256-${hash}'`);
}

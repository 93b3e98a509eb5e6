import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '@counterfoil/lifecycle';
import { type Markup, markup, renderedMarkup } from '@counterfoil/kernel';
import { pageHeaders } from '../http/security-headers';
import { type Guide, GUIDES, TOPICS } from './guide-list';
import { renderGuide } from './guide-markdown';
import { type Addresses, bar, BAR_STYLE, page as framed } from './page-frame';

/** The folders of `docs/` that callers read. The others are for those who change the code. */
const FOLDERS = ['', 'contract'];
const PICTURES = 'pictures';
const PICTURE_TYPES: Readonly<Record<string, string>> = { '.png': 'image/png', '.webp': 'image/webp' };
/** Pages of these folders that are not for callers. */
const LEFT_OUT = new Set(['README', 'architecture', 'glossary', 'release']);

const STYLE = markup`${BAR_STYLE}
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
.columns > nav { position: sticky; top: 3rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto;
  padding: 1rem; font-size: 0.9375rem; border-inline-end: 1px solid var(--line); }
.columns > nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
.columns > nav ul ul { margin: 0 0 0.5rem; padding-inline-start: 0.875rem; font-size: 0.875rem; }
.columns > nav h2 { font-size: 0.8125rem; margin: 0 0 0.25rem; color: var(--quiet); }
.columns > nav a { display: block; padding: 0.1875rem 0; color: var(--text); text-decoration: none; }
.columns > nav a:hover, .columns > nav a[aria-current] { text-decoration: underline; }
.columns > nav a[aria-current] { font-weight: bold; }
main { padding: 0.5rem 2rem 4rem; max-width: 60rem; overflow-wrap: anywhere; }
h1 { font-size: 1.875rem; line-height: 1.25; }
h1, h2, h3, tr { scroll-margin-top: 4rem; }
tr:target { outline: 2px solid var(--link); outline-offset: -2px; }
main h2 { margin: 2.5rem 0 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); font-size: 1.375rem; }
li { margin: 0.25rem 0; }
code { unicode-bidi: isolate; padding: 0.0625rem 0.25rem; background: var(--raised); border-radius: 0.25rem;
  font: 0.875em/1.5 ui-monospace, "Cascadia Mono", "Liberation Mono", Menlo, monospace; }
pre { overflow-x: auto; padding: 0.875rem 1rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: 0.375rem; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
.wide { overflow-x: auto; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); }
table { border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.4375rem 0.75rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
th { background: var(--raised); }
td { min-width: 6rem; overflow-wrap: break-word; }
@media (max-width: 55rem) {
  .columns { display: block; }
  .columns > nav { display: none; }
  main { padding: 0.5rem 1rem 3rem; }
}
`;

export const GUIDE_HEADERS = pageHeaders({ style: STYLE, images: ['data:', "'self'"] });

/** The pages of `docs/` that callers read, as HTML pages. */
export class Guides {
  /** The files by the names of their pages, such as `webhooks` and `contract/2-lists`. */
  private readonly files = new Map(FOLDERS.flatMap(pagesIn));

  private readonly images = new Map(picturesIn(PICTURES));

  constructor(private readonly addresses: Addresses) {}

  get pages(): readonly string[] {
    return [...this.files.keys()];
  }

  /** The pictures of the pages: below the address of the pages, as they name them. */
  get pictures(): readonly string[] {
    return [...this.images.keys()];
  }

  picture(name: string): { readonly type: string; readonly content: Buffer } {
    return { type: PICTURE_TYPES[path.extname(name)]!, content: fs.readFileSync(this.images.get(name)!) };
  }

  /** @param page one of `pages` */
  write(page: string): string {
    const text = fs.readFileSync(this.files.get(page)!, 'utf8');
    const { title, html, headings } = renderGuide(page, text, (other) =>
      this.files.has(other) ? this.addresses.guide(other) : null,
    );
    const sections = headings.map(({ id, text: words }) => markup`<li><a href="#${id}">${words}</a></li>`);
    return framed({
      title: `${title} · Counterfoil`,
      style: STYLE,
      body: [
        bar(this.addresses, `/docs/guides/${page}`),
        markup`<div class="columns">
<nav aria-label="Pages">${this.list('Guides', GUIDES, page, sections)}${this.list('More', TOPICS, page, sections)}</nav>
<main>${renderedMarkup(html)}</main>
</div>`,
      ],
    });
  }

  /** @param sections the links to the sections of the current page */
  private list(
    heading: string,
    guides: readonly Guide[],
    current: string,
    sections: readonly Markup[],
  ): Markup {
    const links = guides.map(({ page, title }) => {
      const address = this.addresses.guide(page);
      return page === current
        ? markup`<li><a href="${address}" aria-current="page">${title}</a><ul>${sections}</ul></li>`
        : markup`<li><a href="${address}">${title}</a></li>`;
    });
    return markup`<h2>${heading}</h2><ul>${links}</ul>`;
  }
}

function picturesIn(folder: string): [name: string, file: string][] {
  const at = path.join(ROOT, 'docs', folder);
  return fs
    .readdirSync(at)
    .filter((file) => path.extname(file) in PICTURE_TYPES)
    .map((file) => [`${folder}/${file}`, path.join(at, file)]);
}

function pagesIn(folder: string): [string, string][] {
  const place = path.join(ROOT, 'docs', folder);
  const names = fs.readdirSync(place).filter((name) => name.endsWith('.md'));
  return names
    .map((name) => name.replace(/\.md$/, ''))
    .filter((name) => folder !== '' || !LEFT_OUT.has(name))
    .map((name) => [path.posix.join(folder, name), path.join(place, `${name}.md`)]);
}

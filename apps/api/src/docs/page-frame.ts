import { type Markup, markup, type MarkupValue } from '@counterfoil/kernel';
import { GUIDES } from './guide-list';

/** Colours and letters of all pages for developers. The reference gets the same by `REFERENCE_CSS`. */
const COLOURS = markup`
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --line: #d0d7de; --back: #fff; --raised: #f6f8fa;
  --link: #0a58ca; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9da7b3; --line: #30363d; --back: #0f1115; --raised: #181b20; --link: #79b8ff; }
}
`;

/** The bar at the top of every page, with the list of guides. */
export const BAR_STYLE = markup`${COLOURS}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--back);
  font: 1rem/1.6 system-ui, "Segoe UI", "Noto Sans Hebrew", Arial, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.bar { position: sticky; top: 0; z-index: 1000; display: flex; align-items: center; gap: 0 1.25rem; height: 3rem;
  padding: 0 1rem; background: var(--back); border-bottom: 1px solid var(--line); font-size: 0.9375rem; }
.bar a, .bar summary { color: var(--text); text-decoration: none; cursor: pointer; }
.bar a:hover, .bar summary:hover, .bar a[aria-current] { text-decoration: underline; }
.bar .home { font-weight: bold; }
.bar details { position: relative; }
.bar details ul { position: absolute; inset-inline-start: -1rem; margin: 0; padding: 0.5rem 0; min-width: 16rem;
  max-height: calc(100vh - 4rem); overflow-y: auto; list-style: none; background: var(--back);
  border: 1px solid var(--line); border-radius: 0.375rem; box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.2); }
.bar li a { display: block; padding: 0.3125rem 1rem; }
@media (max-width: 30rem) { .bar { gap: 0 0.875rem; font-size: 0.875rem; } .bar .file { display: none; } }
`;

/** The addresses of the pages, below the path at which callers reach the API. */
export class Addresses {
  private readonly base: string;

  constructor(publicUrl: string) {
    const { pathname } = new URL(publicUrl);
    this.base = pathname === '/' ? '' : pathname;
  }

  of(path: string): string {
    return `${this.base}${path}`;
  }

  guide(page: string): string {
    return this.of(`/docs/guides/${page}`);
  }
}

/** @param current the path of the page that contains the bar */
export function bar(addresses: Addresses, current: string): Markup {
  const link = (path: string, text: string, name = '') =>
    markup`<a href="${addresses.of(path)}"${name === '' ? null : markup` class="${name}"`}${
      path === current ? markup` aria-current="page"` : null
    }>${text}</a>`;
  const guides = GUIDES.map(({ page, title }) => markup`<li>${link(`/docs/guides/${page}`, title)}</li>`);
  return markup`<header class="bar">
${link('/', 'Counterfoil', 'home')}
<nav aria-label="Documentation" class="bar-links">${link('/docs', 'API reference')}</nav>
<details><summary>Guides</summary><ul>${guides}</ul></details>
${link('/openapi.json', 'openapi.json', 'file')}
</header>`;
}

interface Frame {
  readonly title: string;
  readonly style: Markup;
  /** Further elements of the head. */
  readonly head?: MarkupValue;
  readonly body: MarkupValue;
}

/** One complete page. */
export function page({ title, style, head = null, body }: Frame): string {
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

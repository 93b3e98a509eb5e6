import type { Config } from '@counterfoil/config';
import { markup } from '@counterfoil/kernel';
import { pageHeaders } from '../http/security-headers';
import { GUIDES } from './guide-list';
import { type Addresses, bar, BAR_STYLE, page } from './page-frame';

/** The answer to a program. */
export interface Landing {
  readonly name: string;
  readonly version: string;
  /** Null if the service does not serve it. */
  readonly console: string | null;
  readonly docs: string;
  readonly openapi: string;
  readonly health: string;
}

const STYLE = markup`${BAR_STYLE}
main { max-width: 46rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
h1 { font-size: 2rem; line-height: 1.25; margin: 2rem 0 0.5rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
.doors { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.75rem; list-style: none;
  margin: 1.5rem 0; padding: 0; }
.doors a { display: block; height: 100%; padding: 0.875rem 1rem; color: inherit; text-decoration: none;
  background: var(--raised); border: 1px solid var(--line); border-radius: 0.375rem; }
.doors a:hover { border-color: var(--link); }
.doors b { display: block; color: var(--link); }
.guides { columns: 14rem; margin: 0; padding: 0; list-style: none; }
.guides li { padding: 0.1875rem 0; }
footer { margin: 2.5rem 0 0; color: var(--quiet); font-size: 0.9375rem; }
`;

export const LANDING_HEADERS = pageHeaders({ style: STYLE, images: ['data:'] });

export function landing({ publicUrl, console }: Config, version: string): Landing {
  return {
    name: 'Counterfoil',
    version,
    console: console.isServed ? `${publicUrl}/console` : null,
    docs: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    health: `${publicUrl}/health/ready`,
  };
}

/**
 * The same for a person.
 *
 * @param isConsoleServed whether the console is among the doors
 */
export function landingPage(addresses: Addresses, version: string, isConsoleServed: boolean): string {
  const door = (path: string, title: string, text: string) =>
    markup`<li><a href="${addresses.of(path)}"><b>${title}</b>${text}</a></li>`;
  const guides = GUIDES.map(
    (guide) => markup`<li><a href="${addresses.guide(guide.page)}">${guide.title}</a></li>`,
  );
  return page({
    title: 'Counterfoil',
    style: STYLE,
    body: [
      bar(addresses, '/'),
      markup`<main>
<h1>Counterfoil</h1>
<p>A back-office service for businesses: clients and vendors, issued documents, stock, expenses and signed webhooks, by a JSON API.</p>
<ul class="doors">
${isConsoleServed ? door('/console', 'Console', 'See what happens, and put it right, in the browser') : null}
${door('/docs', 'API reference', 'Every call, with samples for curl, Node and Python')}
${door('/docs/guides/tour', 'Tour', 'The first half hour, as commands to paste')}
${door('/openapi.json', 'openapi.json', 'The description of the API, for tools')}
${door('/health/ready', 'Health', 'Whether this process can serve requests')}
</ul>
<h2>Guides</h2>
<ul class="guides">${guides}</ul>
<footer>Version ${version}</footer>
</main>`,
    ],
  });
}

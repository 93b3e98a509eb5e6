import type { OpenAPIObject } from '@nestjs/swagger';
import { type Markup, markup } from '@counterfoil/kernel';

/** The list covers what Scalar has drawn so far, until a script removes it. */
export const INDEX_STYLE = markup`
#index { position: fixed; inset: 3rem 0 0; z-index: 999; overflow-y: auto; background: var(--back);
  padding: 1rem max(1rem, calc(50vw - 30rem)); }
#index h1 { font-size: 1.5rem; margin: 0.5rem 0; }
#index h2 { font-size: 1.125rem; margin: 1.5rem 0 0.25rem; }
#index p { margin: 0 0 0.5rem; color: var(--quiet); }
#index ul { list-style: none; margin: 0; padding: 0; }
#index li { padding: 0.125rem 0; }
#index code { color: var(--quiet); overflow-wrap: anywhere; }
`;

/** The name of a group as Scalar writes it in its links. */
const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

interface Listed {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
}

/**
 * All operations by their groups, as part of the page. A reader sees them at once, while the browser still compiles
 * Scalar's bundle, and without JavaScript.
 */
export function referenceIndex({ paths, tags = [] }: OpenAPIObject): Markup {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Listed>)
      .filter(([, { deprecated }]) => !deprecated)
      .map(([method, listed]) => ({ ...listed, method: method.toUpperCase(), path })),
  );
  const groups = tags.map(({ name, description = '' }) => ({
    ...{ name, description },
    listed: operations.filter((one) => one.tags[0] === name),
  }));
  const sections = groups
    .filter(({ listed }) => listed.length > 0)
    .map(
      ({ name, description, listed }) => markup`<h2>${name}</h2>
<p>${description}</p>
<ul>${listed.map(
        ({ summary, method, path }) =>
          markup`<li><a href="#tag/${slugOf(name)}/${method}${path}">${summary}</a> <code>${method} ${path}</code></li>`,
      )}</ul>
`,
    );
  return markup`<main id="index">
<h1>API reference</h1>
${sections}</main>`;
}

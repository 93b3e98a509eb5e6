import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';

/** A rendered page of `docs/`. */
export interface RenderedGuide {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

/** Texts whose direction follows from their own first letter, so that Hebrew is written from right to left. */
const OF_OWN_DIRECTION = new Set(['paragraph_open', 'heading_open', 'list_item_open', 'td_open', 'th_open']);

/** HTML in a page is shown as text. */
const markdown = new MarkdownIt({ html: false });
markdown.renderer.rules['table_open'] = () => '<div class="wide" tabindex="0"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
markdown.renderer.rules['fence'] = (tokens, index) => {
  const code = markdown.utils.escapeHtml(tokens[index]!.content);
  return `<pre tabindex="0" dir="ltr"><code>${code}</code></pre>\n`;
};

/**
 * Renders a page.
 *
 * @param page its path in `docs/`, without the extension
 * @param addressOf the address of another page; null for one that is not served, whose links become plain text
 */
export function renderGuide(
  page: string,
  text: string,
  addressOf: (page: string) => string | null,
): RenderedGuide {
  const tokens = markdown.parse(text, {});
  const headings: { id: string; text: string }[] = [];
  identifyRows(tokens);
  let title = page;
  tokens.forEach((token, index) => {
    if (OF_OWN_DIRECTION.has(token.type)) token.attrSet('dir', 'auto');
    if (token.type === 'inline') rewriteLinks(token.children ?? [], page, addressOf);
    if (token.type !== 'heading_open') return;
    const words = wordsOf(tokens[index + 1]!);
    const id = anchorOf(words);
    token.attrSet('id', id);
    if (token.tag === 'h1') title = words;
    if (token.tag === 'h2') headings.push({ id, text: words });
  });
  return { title, html: markdown.renderer.render(tokens, markdown.options, {}), headings };
}

const CODE = /^[A-Z][A-Z0-9_]*$/;

/** Lets links lead to the row of a table that explains an error code or a variable, which is its first cell. */
function identifyRows(tokens: readonly Token[]): void {
  const known = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'tr_open' || tokens[index + 1]?.type !== 'td_open') continue;
    const [first, ...others] = tokens[index + 2]?.children ?? [];
    if (first?.type !== 'code_inline' || others.length > 0) continue;
    if (!CODE.test(first.content) || known.has(first.content)) continue;
    known.add(first.content);
    token.attrSet('id', first.content);
  }
}

const wordsOf = ({ children }: Token): string =>
  (children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('');

/** The anchor of a heading, as the links between the pages write it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

const LINK = /^(?<file>[^#:]+)?(?<anchor>#.*)?$/;

function rewriteLinks(
  tokens: readonly Token[],
  page: string,
  addressOf: (page: string) => string | null,
): void {
  let isLeftOut = false;
  for (const token of tokens) {
    if (token.type === 'link_close') token.hidden = isLeftOut;
    if (token.type !== 'link_open') continue;
    const link = String(token.attrGet('href') ?? '');
    const address = addressOfLink(link, page, addressOf);
    isLeftOut = address === null;
    token.hidden = isLeftOut;
    if (address !== null) token.attrSet('href', address);
  }
}

function addressOfLink(
  link: string,
  page: string,
  addressOf: (page: string) => string | null,
): string | null {
  const { file, anchor = '' } = LINK.exec(link)?.groups ?? {};
  if (file === undefined) return link;
  const target = path.posix.join(path.posix.dirname(page), file);
  const address = target.endsWith('.md') ? addressOf(target.replace(/\.md$/, '')) : null;
  return address === null ? null : address + anchor;
}

import { anchorOf, renderGuide } from './guide-markdown';

const render = (text: string, page = 'webhooks') =>
  renderGuide(page, text, (other) =>
    other === 'errors' || other === 'contract/2-lists' ? `/guides/${other}` : null,
  );

it('takes the title and the sections from the headings', () => {
  const { title, headings } = render('# Safe *retries*\n\n## What a `key` does\n\ntext\n\n### Not listed\n');
  expect(title).toBe('Safe retries');
  expect(headings).toEqual([{ id: 'what-a-key-does', text: 'What a key does' }]);
});

it.each([
  ['`Idempotency-Key`, and more', 'idempotency-key-and-more'],
  ['2.1 The window', '21-the-window'],
  ['מסמכים ועסקאות', 'מסמכים-ועסקאות'],
])('makes the anchor of %j', (heading, anchor) => {
  expect(anchorOf(heading.replaceAll('`', ''))).toBe(anchor);
});

it.each([
  ['a page', '[Errors](errors.md)', 'webhooks', '<a href="/guides/errors">Errors</a>'],
  ['a heading', '[x](errors.md#every-code)', 'webhooks', '<a href="/guides/errors#every-code">x</a>'],
  ['a page from a folder', '[x](../errors.md)', 'contract/3-errors', '<a href="/guides/errors">x</a>'],
  [
    'a page in the same folder',
    '[x](2-lists.md)',
    'contract/3-errors',
    '<a href="/guides/contract/2-lists">x</a>',
  ],
  ['its own heading', '[x](#here)', 'webhooks', '<a href="#here">x</a>'],
  ['another host', '[x](https://example.com/a)', 'webhooks', '<a href="https://example.com/a">x</a>'],
])('leads to %s', (_, text, page, html) => {
  expect(render(text, page).html).toContain(html);
});

it.each(['[`code`](../libs/config/README.md)', '[code](architecture.md)', '[code](openapi.json)'])(
  'shows %s without a link, since its target is not served',
  (text) => {
    const { html } = render(`before ${text} and [Errors](errors.md)`);
    expect(html).toMatch(/before (<code>)?code(<\/code>)? and <a href="\/guides\/errors">/);
  },
);

it('shows HTML as text, and refuses links that run code', () => {
  const { html } = render('<img src=x onerror=alert(1)> [x](javascript:alert(1))\n\n```html\n<b>\n```\n');
  expect(html).not.toMatch(/<img|<b>|href="javascript/);
  expect(html).toContain('&lt;img');
});

it('lets every text have the direction of its first letter, and code that of code', () => {
  const { html } = render('- פריט ראשון\n\nטקסט\n\n| א | b |\n|---|---|\n| ג | d |\n\n```sh\necho\n```\n');
  expect(html).toContain('<p dir="auto">טקסט</p>');
  expect(html).toContain('<li dir="auto">פריט ראשון');
  expect(html).toContain('<td dir="auto">ג</td>');
  expect(html).toContain('<pre tabindex="0" dir="ltr"><code>echo');
});

it('gives the first row about a code its name as an anchor, and no other row', () => {
  const table =
    '| a | b |\n|---|---|\n| `NOT_FOUND` | x |\n| `NOT_FOUND` | y |\n| `name` | z |\n| `A`, `B` | z |\n';
  const { html } = render(table);
  expect(html).toMatch(
    /<tr id="NOT_FOUND">\s*<td dir="auto"><code>NOT_FOUND<\/code><\/td>\s*<td dir="auto">x</,
  );
  expect(html.match(/<tr id=/g)).toHaveLength(1);
});

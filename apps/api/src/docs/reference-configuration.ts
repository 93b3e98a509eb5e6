/**
 * The languages for which Scalar could write samples, except curl. Those for Node and Python are in the description.
 */
const OTHER_LANGUAGES = [
  ...[
    'c',
    'clojure',
    'csharp',
    'dart',
    'fsharp',
    'go',
    'http',
    'java',
    'js',
    'kotlin',
    'node',
    'objc',
    'ocaml',
    'php',
  ],
  ...['powershell', 'python', 'r', 'ruby', 'rust', 'swift'],
];

/**
 * The style of the page: Scalar's own variables, with colours of enough contrast. It hides the links to Scalar's maker,
 * and the choice of a client in the introduction, since each sample has its own. Buttons that show at a heading only when
 * it has the focus must not widen the page of a phone.
 */
const STYLE = `
:root { --scalar-custom-header-height: 3rem; --scalar-font: system-ui, "Segoe UI", "Noto Sans Hebrew", Arial, sans-serif;
  --scalar-font-code: ui-monospace, "Cascadia Mono", "Liberation Mono", Menlo, monospace; }
.light-mode { --scalar-color-2: #4d4d4d; --scalar-color-3: #5c5c5c; --scalar-color-blue: #005ea8;
  --scalar-color-green: #00653f; --scalar-color-red: #b00000; --scalar-color-orange: #a03400;
  --scalar-color-purple: #6b2fb3; --scalar-color-yellow: #7a5200; }
.dark-mode { --scalar-color-2: #c2c2c2; --scalar-color-3: #adadad; }
.markdown p, .markdown li, .markdown td, .property-description { unicode-bidi: plaintext; text-align: start; }
a[href*="scalar.com"], [class^="client-libraries"] { display: none !important; }
#reference { overflow-x: clip; }
`;

/**
 * The configuration of Scalar. It calls no host but this API: no fonts, no telemetry, no proxy. It offers nothing of its
 * maker, and forgets the key when the page is closed.
 */
export function referenceConfiguration(url: string): Readonly<Record<string, unknown>> {
  return {
    url,
    customCss: STYLE,
    theme: 'default',
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: {
      ...Object.fromEntries(OTHER_LANGUAGES.map((language) => [language, true])),
      shell: ['httpie', 'wget'],
    },
    metaData: { title: 'API reference · Counterfoil' },
  };
}

/**
 * Removes the list of operations once Scalar has drawn the reference. Then mends what keeps people who use a keyboard or
 * a screen reader from parts of Scalar's page: buttons without a name, names other than what is shown, lists that scroll
 * but cannot be reached, and an attribute that buttons do not have. An operation that is chosen in the list by keyboard
 * gets the focus, which otherwise stays in the list, up to thousands of stops before the operation.
 */
export const PAGE_SCRIPT = `
const named = [['[role=search]', 'Search'], ['.scalar-code-copy', 'Copy'], ['.code-copy', 'Copy'], ['[aria-pressed]', 'Dark mode']];
function mend() {
  if (document.querySelector('#reference section[id*="/tag/"]')) document.getElementById('index')?.remove();
  for (const [selector, name] of named)
    for (const button of document.querySelectorAll('button' + selector + ':not([aria-label])'))
      if (button.innerText.trim() === '' || selector === '[role=search]') button.setAttribute('aria-label', name);
  for (const button of document.querySelectorAll('button[aria-selected]:not([role])')) {
    if (button.getAttribute('aria-selected') === 'true') button.setAttribute('aria-current', 'true');
    else button.removeAttribute('aria-current');
    button.removeAttribute('aria-selected');
  }
  for (const button of document.querySelectorAll('button.show-more[aria-label^="Show all"]'))
    button.setAttribute('aria-label', button.innerText.trim() + button.getAttribute('aria-label').replace('Show all', ':'));
  for (const link of document.querySelectorAll('#reference a[target=_blank]:not([aria-label])'))
    if (link.innerText.trim() === '') link.setAttribute('aria-label', link.textContent.trim() || 'Link');
  for (const list of document.querySelectorAll('ul.endpoints:not([tabindex])')) list.tabIndex = 0;
}
function focusChosen(turns) {
  const place = decodeURIComponent(location.hash.slice(1));
  const section = place && document.querySelector('#reference section[id$="/' + CSS.escape(place) + '"]');
  if (section) section.focus({ preventScroll: true });
  else if (turns > 0) requestAnimationFrame(() => focusChosen(turns - 1));
}
document.getElementById('reference').addEventListener('click', ({ detail, target }) => {
  const isByKeyboard = detail === 0;
  if (isByKeyboard && target.closest('aside button:not([aria-expanded])')) setTimeout(focusChosen, 0, 300);
});
let planned = false;
new MutationObserver(() => {
  if (planned) return;
  planned = true;
  requestAnimationFrame(() => {
    planned = false;
    mend();
  });
}).observe(document.getElementById('reference'), { childList: true, subtree: true, attributeFilter: ['aria-selected'] });
`;

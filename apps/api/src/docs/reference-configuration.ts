/** The languages for which the page could show samples, except those that it shows. */
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
    'objc',
    'ocaml',
    'php',
  ],
  ...['powershell', 'r', 'ruby', 'rust', 'swift'],
];

/**
 * The style of the page: Scalar's own variables, with colours of enough contrast. It hides the links to Scalar's maker,
 * and the choice of a client in the introduction, since each sample has its own.
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
      node: ['axios', 'ofetch', 'undici'],
      python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
      shell: ['httpie', 'wget'],
    },
    metaData: { title: 'API reference · Counterfoil' },
  };
}

/**
 * Mends what keeps people who use a keyboard or a screen reader from parts of Scalar's page: buttons without a name,
 * names other than what is shown, lists that scroll but cannot be reached, and an attribute that buttons do not have.
 */
export const ACCESSIBILITY_SCRIPT = `
const named = [['[role=search]', 'Search'], ['.scalar-code-copy', 'Copy'], ['[aria-pressed]', 'Dark mode']];
function mend() {
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
  for (const list of document.querySelectorAll('ul.endpoints:not([tabindex])')) list.tabIndex = 0;
}
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

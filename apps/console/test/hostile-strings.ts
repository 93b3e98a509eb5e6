import { HOSTILE_TEXTS } from '@counterfoil/test-harness';

/** Runs if a page takes a text for a program. */
const CANARY = 'globalThis.harmed=1';

const MARKUP = [
  `<script>${CANARY}</script>`,
  `<ScRiPt>${CANARY}</sCrIpT>`,
  `<script type=module>${CANARY}</script>`,
  `<script src=data:text/javascript,${CANARY}></script>`,
  `<img src=x onerror="${CANARY}">`,
  `<img/src/onerror=${CANARY}>`,
  `"><img src=x onerror=${CANARY}>`,
  `'><img src=x onerror='${CANARY}'>`,
  `\`><img src=x onerror=${CANARY}>`,
  `<svg onload=${CANARY}>`,
  `<svg><animate onbegin=${CANARY} attributeName=x dur=1s>`,
  `<svg><script>${CANARY}</script></svg>`,
  `<body onload=${CANARY}>`,
  `<details open ontoggle=${CANARY}>x</details>`,
  `<input autofocus onfocus=${CANARY}>`,
  `<select autofocus onfocus=${CANARY}></select>`,
  `<video><source onerror=${CANARY}></video>`,
  `<audio src=x onerror=${CANARY}>`,
  `<iframe srcdoc="<script>parent.harmed=1</script>"></iframe>`,
  `<iframe src="javascript:parent.harmed=1"></iframe>`,
  `<object data="javascript:${CANARY}"></object>`,
  `<embed src="javascript:${CANARY}">`,
  `<a href="javascript:${CANARY}" autofocus>x</a>`,
  `<form action="javascript:${CANARY}"><button>x</button></form>`,
  `<math><mi xlink:href="javascript:${CANARY}">x</mi></math>`,
  `<marquee onstart=${CANARY}>x</marquee>`,
  `<meta http-equiv=refresh content="0;url=https://example.com/">`,
  `<base href="https://example.com/">`,
  `<link rel=stylesheet href="https://example.com/a.css">`,
  `<style>*{display:none}</style>`,
  `<style>@import 'https://example.com/a.css';</style>`,
  `<p style="position:fixed;inset:0;background:red">x</p>`,
  `<p style="width:99999px">x</p>`,
  `<template><script>${CANARY}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CANARY}>">`,
  `</textarea><script>${CANARY}</script>`,
  `</title><script>${CANARY}</script>`,
  `</option></select><script>${CANARY}</script>`,
  `--><script>${CANARY}</script>`,
  `<!--<img src="--><img src=x onerror=${CANARY}>">`,
  `<plaintext>`,
  `<xmp>`,
  `<dialog open>x</dialog>`,
  `&lt;script&gt;${CANARY}&lt;/script&gt;`,
  `&#60;script&#62;${CANARY}&#60;/script&#62;`,
  `%3Cscript%3E${CANARY}%3C/script%3E`,
  `\\u003cscript\\u003e${CANARY}\\u003c/script\\u003e`,
  `\\x3cscript\\x3e${CANARY}\\x3c/script\\x3e`,
];

const PROGRAMS = [
  `javascript:${CANARY}`,
  `JaVaScRiPt:${CANARY}`,
  `java\tscript:${CANARY}`,
  `data:text/html,<script>${CANARY}</script>`,
  `vbscript:${CANARY}`,
  `');${CANARY};//`,
  `";${CANARY};//`,
  `\`;${CANARY};//`,
  `\${${CANARY}}`,
  `{{constructor.constructor('${CANARY}')()}}`,
  `{{ ${CANARY} }}`,
  `<%= ${CANARY} %>`,
  `#{${CANARY}}`,
  `[[${CANARY}]]`,
  `@{${CANARY}}`,
  `*{${CANARY}}`,
  `{name} {count} {from} {to} {total}`,
  `$& $1 $\` $' $$`,
  `=1+1`,
  `=HYPERLINK("https://example.com/","x")`,
  `@SUM(1,1)`,
  `\t=1+1`,
];

const DIRECTIONS = [
  '\u202Eevil\u202C',
  '\u202Dabc\u202C',
  '\u202E'.repeat(40),
  '\u202A\u202Bunclosed',
  '\u2067rtl isolate',
  '\u2066ltr isolate',
  '\u2068first strong',
  '\u2069'.repeat(20) + 'closed too often',
  '\u200F123-456',
  '\u200Eשלום (1)',
  '\u061Cاختبار',
  'שלום hello שלום 123 (שלום)',
  'قائمة ١٢٣ abc',
  'abc \u2067אבג\u2069 123\u202E456',
];

const INVISIBLE = [
  '\u200B\u200C\u200D\u2060\uFEFF',
  'zero\u200Bwidth\u200Bspaces',
  'soft\u00ADhyphen',
  'joined\u2060word',
  '\u180E\u3164',
  '\u034F',
  '\uFFF9note\uFFFAa\uFFFB',
  '\u{E0001}\u{E0068}\u{E0069}',
];

const COMBINED = [
  'Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324'.repeat(8),
  'a' + '\u0300'.repeat(150),
  '\u0E47'.repeat(60),
  'क्षत्रिय',
  '각',
  'שָׁלוֹם',
  'ﷺ ﷽',
  '𒐫𒈙⸻',
];

const EMOJI = [
  '👨‍👩‍👧‍👦👩🏽‍🚀🏳️‍🌈🏴‍☠️',
  '🇮🇱🇬🇧🇮',
  '1️⃣#️⃣*️⃣',
  '\uD83D\uDC4D\u{1F3FF}\u{1F3FF}',
  '❤︎❤️',
  '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  '😀'.repeat(100),
];

const LINES = [
  'one\ntwo',
  'one\r\ntwo',
  '\n'.repeat(50) + 'below',
  'tab\tbed',
  'a\u000Bb\u000Cc',
  'a\u0085b',
  'a\u2029b',
  'bell\u0007 escape\u001B[31m',
  '\u0001\u0002\u001F\u007F',
  ' '.repeat(50) + 'indented',
  'trailing' + ' '.repeat(50),
];

const LONG = [
  'W'.repeat(100),
  'i'.repeat(200),
  'W'.repeat(10_000),
  'א'.repeat(200),
  '字'.repeat(199),
  'a/'.repeat(100),
  'a-'.repeat(100),
  '.'.repeat(200),
  '_'.repeat(100),
  `https://example.com/${'x'.repeat(170)}`,
  'word '.repeat(2_000),
];

const LIKE_OTHERS = [
  '0',
  '-1',
  '00000000-0000-4000-8000-000000000000',
  '1; 2',
  '12345678901234567890',
  'NaN',
  'Infinity',
  '2026-02-30',
  '../../keys',
  '?offset=1&search=x',
  '#content',
  'C:\\Windows\\System32',
  '//example.com/',
  'sk_live_0123456789',
];

/** Texts that break pages: those that break services, and those that only a browser or a reader falls for. */
export const HOSTILE_STRINGS: readonly string[] = [
  ...new Set([
    ...HOSTILE_TEXTS,
    ...[...MARKUP, ...PROGRAMS, ...DIRECTIONS, ...INVISIBLE, ...COMBINED],
    ...[...EMOJI, ...LINES, ...LONG, ...LIKE_OTHERS],
  ]),
];

/** Those that stretch or turn a layout. */
export const WIDE_STRINGS: readonly string[] = [...LONG, ...DIRECTIONS];

const TOGETHER = 10;

/** Every text, the wide ones by themselves and some of the others together: each costs a drawing of the whole form. */
export function typedTexts(): readonly string[] {
  const others = HOSTILE_STRINGS.filter((text) => !WIDE_STRINGS.includes(text));
  const parts = Array.from({ length: Math.ceil(others.length / TOGETHER) }, (_, part) =>
    others.slice(part * TOGETHER, (part + 1) * TOGETHER).join(' '),
  );
  return [...parts, ...WIDE_STRINGS];
}

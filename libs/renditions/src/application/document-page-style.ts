import { type Markup, markup } from '@counterfoil/kernel';
import { DEFAULT_ACCENT } from './ports/page-parts';

/** A colour gets into a style, in which escaping has no effect. */
const COLOUR = /^#[0-9a-f]{6}$/i;

export function documentPageStyle(accentColor: string | null): Markup {
  const accent = accentColor !== null && COLOUR.test(accentColor) ? accentColor : DEFAULT_ACCENT;
  return markup`
:root { --accent: ${accent}; }${STYLE}`;
}

/**
 * Shadows at the edges beyond which a table goes on: phones show no scroll bar. The white parts move along with the table,
 * and cover a shadow at its end.
 */
const MORE = `linear-gradient(to right, #fff 10mm, #fff0) 0 0 / 14mm 100% no-repeat local,
  linear-gradient(to left, #fff 10mm, #fff0) 100% 0 / 14mm 100% no-repeat local,
  linear-gradient(to right, #0005, #0000) 0 0 / 4mm 100% no-repeat scroll,
  linear-gradient(to left, #0005, #0000) 100% 0 / 4mm 100% no-repeat scroll`;

// Numbers are aligned on the right in both directions, because both write them from left to right.
const STYLE = markup`
@page { size: A4; margin: 16mm 14mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 8mm; max-width: 210mm; color: #1a1a1a; background: #fff;
  font: 11pt/1.45 system-ui, "Segoe UI", "Noto Sans Hebrew", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 18pt; margin: 0; }
h2 { font-size: 11pt; margin: 6mm 0 1mm; }
p { margin: 0; }
.mark { border: 2px solid #a40000; color: #a40000; font-weight: bold; padding: 2mm 4mm; margin: 0 0 6mm;
  text-align: center; }
.watermark { position: fixed; inset-inline: 0; top: 45%; text-align: center; font-size: min(40pt, 11vw);
  font-weight: bold; color: #a40000; opacity: 0.15; transform: rotate(-30deg); pointer-events: none; }
.issuer { border-bottom: 1mm solid var(--accent); padding: 0 0 3mm; }
.logo { display: block; max-width: 55mm; max-height: 24mm; margin: 0 0 2mm; }
.party { font-size: 13pt; font-weight: bold; }
.title { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 2mm 6mm;
  margin: 6mm 0 3mm; }
.stamp { border: 1px solid #1a1a1a; padding: 1mm 4mm; font-weight: bold; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 1mm 4mm; margin: 3mm 0; }
dt { color: #555; }
dd { margin: 0; }
.wide { margin: 6mm 0 0; overflow-x: auto; background: ${MORE}; }
.wide:focus-visible { outline: 3px solid #0b57d0; outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; margin: 6mm 0 0; }
.wide table { margin: 0; }
caption { text-align: start; font-weight: bold; padding: 0 0 1mm; }
th, td { padding: 1.5mm 2mm; border-bottom: 1px solid #ccc; text-align: start; vertical-align: top; }
thead th { border-bottom: 2px solid var(--accent); font-size: 9pt; vertical-align: bottom; }
tbody th { font-weight: normal; white-space: pre-line; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
td.number { white-space: nowrap; }
.totals { width: auto; min-width: 50%; margin-inline-start: auto; break-inside: avoid; }
.totals .sum > * { font-weight: bold; border-bottom: 2px solid var(--accent); }
.lines { white-space: pre-line; unicode-bidi: plaintext; }
footer { margin: 8mm 0 0; padding: 3mm 0 0; border-top: 1px solid #ccc; font-size: 9pt; }
@media screen and (max-width: 40rem) {
  body { padding: 4mm; font-size: 10pt; }
  .items { font-size: 8.5pt; }
  .items th, .items td { padding: 1.5mm 1mm; }
  .items th[scope="row"] { min-width: 7rem; }
}
@media print {
  body { padding: 0; max-width: none; font-size: 9.5pt; line-height: 1.35; }
  .mark { padding: 1mm 4mm; margin: 0 0 3mm; }
  h2 { margin-top: 4mm; break-after: avoid; }
  table, .wide { margin-top: 4mm; }
  th, td { padding: 1mm 2mm; }
  .wide { overflow: visible; background: none; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  footer { margin: 4mm 0 0; break-before: avoid; break-inside: avoid; }
}
`;

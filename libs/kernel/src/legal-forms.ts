/** Legal forms at the end of company names in many countries. OCR may have joined one to the name. */
export const LEGAL_FORM = new RegExp(
  [
    String.raw`(?<![A-Za-z])(?:S\.?D\.?N\.?\W{0,2}B\.?H\.?D|S\s?/\s?B|BHD|PLT|PTE|PTY|LTD|LIMITED|INC|INCORPORATED|CORP|CORPORATION|LLC|LLP|PLC|CO)(?![A-Za-z])`,
    String.raw`SDN\.? ?BHD(?![A-Za-z])`,
    String.raw`(?<!\p{L})(?:GmbH|mbH|AG|KG|OHG|UG|e\.?\s?K\.?|eG|SE|Ges\.?m\.?b\.?H)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:S\.?A\.?R\.?L|SAS|SASU|EURL|S\.A|SCOP|SPRL|SRL|S\.R\.L|S\.?p\.?A|S\.?n\.?c|S\.?L\.?U?|B\.?V|N\.?V|VOF|Lda|Ltda|A/S|ApS|AB|AS|Oy|sp\.? ?z ?o\.? ?o|s\.?r\.?o|a\.s|Kft|d\.?o\.?o|A\.?Ş)(?!\p{L})`,
    String.raw`GmbH(?!\p{L})`,
    String.raw`בע"?'{0,2}מ|ע"ר|שותפות`,
  ].join('|'),
  'iu',
);

/** To replace every legal form. */
export const LEGAL_FORMS = new RegExp(LEGAL_FORM.source, 'giu');

/** A legal form and a comma or another divider, after which something else than the name follows. */
export const LEGAL_FORM_THEN_DIVIDER = new RegExp(
  String.raw`(${LEGAL_FORM.source})[.)]{0,2}\s?[,;|·•-]\s`,
  'iu',
);

const QUOTES = /[\u05f4\u201c-\u201f\u2033]/g;
const WORD = /[\p{L}\p{N}]/u;

/** Returns the name before the legal forms at its end: "Acme" of "Acme Co., Ltd." */
export function withoutLegalForm(name: string): string {
  let end = name.length;
  for (const { index, 0: form } of [...name.replace(QUOTES, '"').matchAll(LEGAL_FORMS)].toReversed()) {
    if (index === 0 || WORD.test(name.slice(index + form.length, end))) break;
    end = index;
  }
  return name.slice(0, end);
}

/** Returns the letters and digits of a business name in lower case, without the legal form at its end. */
export const plainBusinessName = (name: string): string =>
  withoutLegalForm(name)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The length of an IBAN (ISO 13616) by the country that it begins with. */
const LENGTHS = new Map(
  [
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29',
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30',
    'KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28',
    'PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24',
    'XK20 YE30',
  ]
    .flatMap((line) => line.split(' '))
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);
const BEGINNING = /\b([A-Z]{2})\d{2}/g;

/** Replaces valid bank account numbers (IBAN), with or without a blank between their groups. */
export function withoutBankAccounts(text: string): string {
  let rest = '';
  let from = 0;
  for (const { index, 1: country = '' } of text.matchAll(BEGINNING)) {
    const end = index < from ? undefined : endOfAccount(text, index, LENGTHS.get(country));
    if (end === undefined) continue;
    rest += `${text.slice(from, index)}iban`;
    from = end;
  }
  return rest + text.slice(from);
}

/** Returns where the account that begins here ends, or undefined if none begins here. */
function endOfAccount(text: string, start: number, length = 0): number | undefined {
  let account = '';
  let end = start;
  while (account.length < length && end < text.length) {
    if (text[end] === ' ') end++;
    if (!isPart(text[end] ?? '')) return undefined;
    account += text[end];
    end++;
  }
  const isWhole = account.length === length && !/^[\p{L}\p{N}]/u.test(text.slice(end));
  return length > 0 && isWhole && hasCheckDigits(account) ? end : undefined;
}

/** Compares instead of matching, because this runs for every character of long texts. */
const isPart = (character: string): boolean =>
  (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z');

/** ISO 7064, MOD 97-10: letters count as 10 to 35, and the first four characters come last. */
function hasCheckDigits(account: string): boolean {
  let remainder = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/**
 * Countries in which the registration number of a business is also its tax number. Elsewhere, as in `HRB
 * 123`, it is not a tax id.
 */
const COUNTRIES = new Set(
  'AE AR AU BE BR CL CO CZ DK FI IL IN JP MY NG NO NZ PE PL PT RO SA SE SG SI SK TR'.split(' '),
);

/** Schemes of such numbers: the ISO 6523 codes of Peppol, and the names that national formats use. */
const SCHEMES = new Set(
  (
    '0007 0037 0151 0184 0188 0192 0195 0196 0208 0212 0213 0221 0230 0235 0244 ' +
    '6 ABN CNPJ CUI CVR DK:CVR DK:SE GST NIF NIP NIT RUC SE:ORGNR NO:ORGNR TAX TCKN TIN TRN VAT VKN VKN_TCKN'
  ).split(' '),
);

/** True if a business number of this scheme or country is a tax id. */
export function isTaxNumber(scheme: string | undefined, country: string | undefined): boolean {
  if (scheme !== undefined && scheme !== '') return isTaxScheme(scheme);
  return country !== undefined && COUNTRIES.has(country.toUpperCase());
}

export function isTaxScheme(scheme: string | undefined): boolean {
  return scheme !== undefined && SCHEMES.has(scheme.toUpperCase());
}

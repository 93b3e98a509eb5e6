import { languageOf, slotsFor, variantOf } from './rendition';

const ISSUED = {
  cancelled: false,
  allocationNumber: null,
  isAllocationNumberPending: false,
  hasWithholdingOrNotes: false,
};
const ORIGINAL = { format: 'pdf', stamp: 'original', language: null } as const;

describe('the variant of a document', () => {
  it.each([
    [ORIGINAL, 'he', ISSUED, 'original.he'],
    [{ ...ORIGINAL, stamp: 'copy' }, 'en', ISSUED, 'copy.en'],
    [{ ...ORIGINAL, format: 'html' }, 'he', ISSUED, 'html.original.he'],
    [ORIGINAL, 'en', { ...ISSUED, cancelled: true }, 'original.en.cancelled'],
    [ORIGINAL, 'en', { ...ISSUED, isAllocationNumberPending: true }, 'original.en.pending'],
    [ORIGINAL, 'en', { ...ISSUED, allocationNumber: '123456789' }, 'original.en.no-123456789'],
    [ORIGINAL, 'en', { ...ISSUED, allocationNumber: 'pending' }, 'original.en.no-pending'],
    [ORIGINAL, 'en', { ...ISSUED, cancelled: true, allocationNumber: '7' }, 'original.en.cancelled.no-7'],
    [
      ORIGINAL,
      'en',
      { ...ISSUED, cancelled: true, hasWithholdingOrNotes: true },
      'original.en.noted.cancelled',
    ],
    [{ ...ORIGINAL, format: 'ubl' }, 'he', { ...ISSUED, hasWithholdingOrNotes: true }, 'ubl'],
    [{ ...ORIGINAL, format: 'ubl' }, 'he', ISSUED, 'ubl'],
    [{ ...ORIGINAL, format: 'cii' }, 'en', { ...ISSUED, isAllocationNumberPending: true }, 'cii.pending'],
    [{ ...ORIGINAL, format: 'ubl' }, 'he', { ...ISSUED, allocationNumber: '7' }, 'ubl.no-7'],
  ] as const)('names all that may change: %j in %s, %j', (choice, language, state, variant) => {
    expect(variantOf(choice, language, state)).toBe(variant);
  });
});

describe('the slots of a PDF', () => {
  it.each([
    [0, 8, 1],
    [79, 8, 1],
    [80, 8, 2],
    [320, 8, 5],
    [1_000, 8, 8],
    [2_000, 4, 4],
  ])('of %i lines are, with at most %i, %i', (lines, most, slots) => {
    expect(slotsFor(lines, most)).toBe(slots);
  });
});

describe('the language of a document', () => {
  it.each([
    [['Acme', null, 'ייעוץ'], 'he'],
    [['Acme', 'Ünïcode', '₪'], 'en'],
    [[], 'en'],
  ] as const)('of the texts %j is %s', (texts, language) => {
    expect(languageOf(texts)).toBe(language);
  });
});

import fc from 'fast-check';
import { selectChanges, type PartyDetails, createDetails, type SentDetails } from './party';

const MAY = { mapAccounting: true };
const MAY_NOT = { mapAccounting: false };
const NEW = { name: 'Acme', taxId: '1', type: 'COMPANY' } as const;
const STORED: PartyDetails = {
  ...createDetails(NEW, MAY),
  email: 'a@b.example',
  paymentTermType: 'DAYS_ONLY',
  paymentTermDays: 45,
  ledgerEntityAccountKey: 'KEY1',
  vendorInternalCode: 7,
  withholdingValidFrom: '2026-01-01',
  withholdingValidUntil: '2026-12-31',
};

describe('createDetails', () => {
  it('stores only what was sent', () => {
    const details = createDetails({ ...NEW, bankNumber: undefined }, MAY);
    const { name, taxId, type, roundDocumentTotal, reminders, ...others } = details;
    expect({ name, taxId, type, roundDocumentTotal, reminders }).toEqual({
      ...{ ...NEW, roundDocumentTotal: 'use_default', reminders: true },
    });
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });

  it.each([
    [MAY, 'KEY', 'KEY'],
    [MAY, '', null],
    [MAY_NOT, 'KEY', null],
  ])('stores, with rights %j, a bookkeeping key of %j as %j', (rights, sent, stored) => {
    const details = createDetails({ ...NEW, ledgerEntityAccountKey: sent }, rights);
    expect(details.ledgerEntityAccountKey).toBe(stored);
  });
});

describe('selectChanges', () => {
  it.each<[string, SentDetails, Partial<PartyDetails>]>([
    ['nothing when nothing was sent', {}, {}],
    ['nothing for undefined fields', { name: undefined, email: undefined }, {}],
    ['the fields that were sent', { name: 'New', creditLimit: 0 }, { name: 'New', creditLimit: 0 }],
    [
      'an empty text to null',
      { email: '', vendorInternalCode: '' },
      { email: null, vendorInternalCode: null },
    ],
    ['nothing for an empty bookkeeping key', { ledgerEntityAccountKey: '' }, {}],
    ['a bookkeeping key', { ledgerEntityAccountKey: 'K' }, { ledgerEntityAccountKey: 'K' }],
    [
      'type and days when the term is cleared',
      { paymentTermType: null },
      { paymentTermType: null, paymentTermDays: null },
    ],
    [
      'the type of a cleared term, and the days sent with it',
      { paymentTermType: null, paymentTermDays: 9 },
      { paymentTermType: null, paymentTermDays: 9 },
    ],
    ['the days alone', { paymentTermDays: 9 }, { paymentTermDays: 9 }],
  ])('changes %s', (_, sent, changes) => {
    expect(selectChanges(STORED, sent, MAY)).toEqual(changes);
  });

  it('ignores a bookkeeping key without the right, and applies the other changes', () => {
    expect(selectChanges(STORED, { ledgerEntityAccountKey: 'K', name: 'New' }, MAY_NOT)).toEqual({
      name: 'New',
    });
  });

  it('changes exactly the fields that were sent', () => {
    const sent = fc.record(
      {
        name: fc.string({ minLength: 1 }),
        email: fc.constantFrom('', 'x@y.example'),
        specialVat: fc.option(fc.nat(100)),
        paymentTermDays: fc.nat(365),
        bankNumber: fc.string(),
        withholdingTaxRate: fc.option(fc.nat(100)),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(sent, fc.boolean(), (fields, mapAccounting) => {
        const changes = selectChanges(STORED, fields, { mapAccounting });
        expect(Object.keys(changes).sort()).toEqual(Object.keys(fields).sort());
      }),
    );
  });
});

describe('the period of a withholding certificate', () => {
  const wrong = expect.objectContaining({
    code: 'VALIDATION_FAILED',
    details: [expect.objectContaining({ field: 'withholdingValidUntil' })],
  });

  it.each([
    ['2026-06-02', '2026-06-01', false],
    ['2026-06-01', '2026-06-01', true],
    ['2025-12-31', '2026-01-01', true],
  ])('from %s until %s is %j', (withholdingValidFrom, withholdingValidUntil, fits) => {
    const make = () => createDetails({ ...NEW, withholdingValidFrom, withholdingValidUntil }, MAY);
    if (fits) expect(make()).toMatchObject({ withholdingValidFrom, withholdingValidUntil });
    else expect(make).toThrow(wrong);
  });

  it('is checked over stored and changed fields together', () => {
    expect(() => selectChanges(STORED, { withholdingValidFrom: '2027-01-01' }, MAY)).toThrow(wrong);
    expect(() => selectChanges(STORED, { withholdingValidUntil: '2025-01-01' }, MAY)).toThrow(wrong);
    const next = { withholdingValidFrom: '2027-01-01', withholdingValidUntil: '2027-12-31' };
    expect(selectChanges(STORED, next, MAY)).toEqual(next);
  });
});

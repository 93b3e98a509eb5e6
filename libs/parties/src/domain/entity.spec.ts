import fc from 'fast-check';
import { changesOf, type EntityDetails, newDetails, type SentDetails } from './entity';

const MAY = { mapAccounting: true };
const MAY_NOT = { mapAccounting: false };
const NEW = { name: 'Acme', taxId: '1', type: 'COMPANY' } as const;
const STORED: EntityDetails = {
  ...newDetails(NEW, MAY),
  email: 'a@b.example',
  paymentTermType: 'DAYS_ONLY',
  paymentTermDays: 45,
  ledgerEntityAccountKey: 'KEY1',
  vendorInternalCode: 7,
  withholdingValidFrom: '2026-01-01',
  withholdingValidUntil: '2026-12-31',
};

describe('the details of a new entity', () => {
  it('are nothing but what was sent', () => {
    const details = newDetails({ ...NEW, bankNumber: undefined }, MAY);
    const { name, taxId, type, roundDocumentTotal, ...others } = details;
    expect({ name, taxId, type, roundDocumentTotal }).toEqual({ ...NEW, roundDocumentTotal: 'use_default' });
    expect(new Set(Object.values(others))).toEqual(new Set([null]));
  });

  it.each([
    [MAY, 'KEY', 'KEY'],
    [MAY, '', null],
    [MAY_NOT, 'KEY', null],
  ])('with rights %j a bookkeeping key of %j is stored as %j', (rights, sent, stored) => {
    const details = newDetails({ ...NEW, ledgerEntityAccountKey: sent }, rights);
    expect(details.ledgerEntityAccountKey).toBe(stored);
  });
});

describe('an edit', () => {
  it.each<[string, SentDetails, Partial<EntityDetails>]>([
    ['nothing, of nothing', {}, {}],
    ['nothing, of what was left out', { name: undefined, email: undefined }, {}],
    ['what was sent', { name: 'New', creditLimit: 0 }, { name: 'New', creditLimit: 0 }],
    [
      'to null, of an empty text',
      { email: '', vendorInternalCode: '' },
      { email: null, vendorInternalCode: null },
    ],
    ['nothing, of an empty bookkeeping key', { ledgerEntityAccountKey: '' }, {}],
    ['a bookkeeping key', { ledgerEntityAccountKey: 'K' }, { ledgerEntityAccountKey: 'K' }],
    [
      'type and days of a cleared term',
      { paymentTermType: null },
      { paymentTermType: null, paymentTermDays: null },
    ],
    [
      'the type of a cleared term, and the days that come with it',
      { paymentTermType: null, paymentTermDays: 9 },
      { paymentTermType: null, paymentTermDays: 9 },
    ],
    ['the days alone', { paymentTermDays: 9 }, { paymentTermDays: 9 }],
  ])('changes %s', (_, sent, changes) => {
    expect(changesOf(STORED, sent, MAY)).toEqual(changes);
  });

  it('changes no bookkeeping key without the right to, and all else', () => {
    expect(changesOf(STORED, { ledgerEntityAccountKey: 'K', name: 'New' }, MAY_NOT)).toEqual({ name: 'New' });
  });

  it('changes nothing that was not sent, whatever is', () => {
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
      fc.property(sent, fc.boolean(), (asked, mapAccounting) => {
        const changes = changesOf(STORED, asked, { mapAccounting });
        expect(Object.keys(changes).sort()).toEqual(Object.keys(asked).sort());
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
    const make = () => newDetails({ ...NEW, withholdingValidFrom, withholdingValidUntil }, MAY);
    if (fits) expect(make()).toMatchObject({ withholdingValidFrom, withholdingValidUntil });
    else expect(make).toThrow(wrong);
  });

  it('is that which is stored, with what changes of it', () => {
    expect(() => changesOf(STORED, { withholdingValidFrom: '2027-01-01' }, MAY)).toThrow(wrong);
    expect(() => changesOf(STORED, { withholdingValidUntil: '2025-01-01' }, MAY)).toThrow(wrong);
    const next = { withholdingValidFrom: '2027-01-01', withholdingValidUntil: '2027-12-31' };
    expect(changesOf(STORED, next, MAY)).toEqual(next);
  });
});

import {
  DOCUMENT_TYPES,
  isCancellable,
  isCreditable,
  isCreditNote,
  isPayable,
  isReplaceable,
  mayCover,
  mayHaveAllocationNumber,
  parseDocumentType,
  recordsPayments,
} from './document-type';

describe('a type in a path (contract §8.1)', () => {
  it.each(DOCUMENT_TYPES)('reads %s in each of its spellings', (type) => {
    for (const text of [type, type.toLowerCase(), type.toLowerCase().replaceAll('_', '-')]) {
      expect(parseDocumentType(text)).toBe(type);
    }
  });

  it.each([
    '',
    'INVOICE',
    'tax invoice',
    'TAX_INVOICE ',
    'SUPPLIER_INVOICE',
    '__proto__',
    'constructor',
    'rece\u0131pt',
  ])('refuses %j', (text) => {
    expect(parseDocumentType(text)).toBeNull();
  });
});

describe('the capabilities of a type (contract §8.8)', () => {
  const of = (holds: (type: (typeof DOCUMENT_TYPES)[number]) => boolean) => DOCUMENT_TYPES.filter(holds);

  it.each([
    ['records payments', recordsPayments, ['TAX_INVOICE_RECEIPT', 'RECEIPT']],
    ['is a credit note', isCreditNote, ['REFUND', 'RETURN']],
    ['can be cancelled', isCancellable, ['RECEIPT', 'REFUND', 'RETURN']],
    ['can be paid by a receipt', isPayable, ['TAX_INVOICE', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE']],
    ['can be replaced', isReplaceable, ['PROFORMA', 'QUOTE', 'ORDER', 'DELIVERY_NOTE']],
    [
      'can be credited',
      isCreditable,
      ['TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE'],
    ],
    ['has an allocation number', mayHaveAllocationNumber, ['TAX_INVOICE', 'TAX_INVOICE_RECEIPT']],
  ])('%s', (_, holds, types) => {
    expect(of(holds)).toEqual(types);
  });

  it('a credit note covers nothing, a receipt what can be paid, other types what can be replaced', () => {
    for (const covering of DOCUMENT_TYPES) {
      const covered = isCreditNote(covering) ? [] : of(covering === 'RECEIPT' ? isPayable : isReplaceable);
      expect({ covering, covered: of((type) => mayCover(covering, type)) }).toEqual({ covering, covered });
    }
  });
});

import { DOCUMENT_TYPES, parseDocumentType } from './document-type';

describe('a type in a path (decisions §9)', () => {
  it.each(DOCUMENT_TYPES)('reads %s in each of its spellings', (type) => {
    for (const text of [type, type.toLowerCase(), type.toLowerCase().replaceAll('_', '-')]) {
      expect(parseDocumentType(text)).toBe(type);
    }
  });

  it.each(['', 'INVOICE', 'tax invoice', 'TAX_INVOICE ', 'SUPPLIER_INVOICE', '__proto__', 'constructor'])(
    'knows no %j',
    (text) => {
      expect(parseDocumentType(text)).toBeNull();
    },
  );
});

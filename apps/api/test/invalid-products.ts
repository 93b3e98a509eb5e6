import {
  type BodyUnderTest,
  boolean,
  clearableText,
  kind,
  onEdit,
  required,
  serials,
  text,
  unitPrice,
} from './invalid-values';

/** Invalid values for the fields of a product, see `invalid-fields.ts`. */
export const PRODUCT_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'a product',
    method: 'POST',
    path: '/products/create',
    valid: { name: 'Paper', sku: 'A4', serials: ['A', 'B'] },
    fields: {
      name: required(text(200)),
      sku: required(text(100)),
      manufacturerSku: clearableText(100),
      unit: clearableText(50),
      buyingPrice: unitPrice,
      sellingPrice: unitPrice,
      isActive: boolean,
      serials,
      'serials[1]': kind(['"A"', '""', '"  "'], false),
    },
  },
  {
    name: 'a product that is changed',
    method: 'PUT',
    path: '/products/edit/00000000-0000-4000-8000-000000000000',
    valid: { serials: ['A', 'B'] },
    fields: {
      name: onEdit(text(200)),
      sku: onEdit(text(100)),
      manufacturerSku: clearableText(100),
      unit: clearableText(50),
      buyingPrice: unitPrice,
      sellingPrice: unitPrice,
      isActive: onEdit(boolean),
      serials: onEdit(serials),
      'serials[1]': kind(['"A"', '""', '"  "'], false),
    },
  },
];

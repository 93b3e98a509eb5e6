import { SENDING_FIELDS } from './invalid-mails';
import {
  type BodyUnderTest,
  choice,
  currency,
  date,
  id,
  kind,
  objects,
  percent,
  quantity,
  required,
  text,
  unitPrice,
} from './invalid-values';

const ITEM = { description: 'Support', quantity: 1, unitPrice: 1 };
const tooMany = JSON.stringify(Array.from({ length: 1_001 }, () => ITEM));

const RETAINER = {
  entityId: 1,
  items: [ITEM],
  interval: 'MONTHLY',
  nextRunDate: '2027-01-31',
  documentType: 'TAX_INVOICE',
};

/** Types that a retainer cannot issue: they return money, record received money, or are issued by others. */
const documentType = kind(
  [
    ...choice.wrong,
    ...['RECEIPT', 'REFUND', 'RETURN', 'SUPPLIER_INVOICE', 'tax-invoice'].map((type) => JSON.stringify(type)),
  ],
  false,
);

/** Invalid values for the fields of retainers, see `invalid-fields.ts`. */
export const RETAINER_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'a retainer',
    method: 'POST',
    path: '/retainers/create',
    valid: RETAINER,
    fields: {
      entityId: required(id),
      items: required(kind([...objects.wrong, '[]', tooMany], false)),
      'items[0]': kind(['5', '"x"', 'null', 'true'], false),
      'items[0].description': required(text(500)),
      'items[0].quantity': required(quantity),
      'items[0].unitPrice': required(unitPrice),
      'items[0].productId': id,
      'items[0].discountPercent': percent,
      'items[0].vatRate': percent,
      currency,
      interval: required(kind([...choice.wrong, '"monthly"', '"DAILY"', '"QUARTERLY"'], false)),
      nextRunDate: required(kind([...date.wrong, '"1999-12-31"'], false)),
      documentType: required(documentType),
      send: kind(['5', '"dana@example.com"', 'true', '[]', '[{}]'], false),
    },
  },
  {
    name: 'a retainer that sends',
    method: 'POST',
    path: '/retainers/create',
    valid: { ...RETAINER, send: { to: ['dana@example.com'] } },
    fields: Object.fromEntries(
      Object.entries(SENDING_FIELDS).map(([field, wrong]) => [`send.${field}`, wrong]),
    ),
  },
];

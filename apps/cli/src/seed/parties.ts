import type { CreateAddressBody, CreateClientBody, CreateVendorBody } from '@counterfoil/sdk';
import {
  type Bilingual,
  CITIES,
  CLIENT_TRADES,
  FOREIGN_TRADE,
  type Language,
  PEOPLE,
  PLACES,
  STREETS,
  type Trade,
  TRADES,
} from './names';
import { Random } from './random';
import { britishVatId, germanVatId, israeliTaxId } from './tax-ids';

/** The form of the receipts that a vendor gives. */
export type ReceiptForm = 'html' | 'text' | 'pdf' | 'e-invoice';

interface PlannedParty {
  /** Unique in the plan, and part of the idempotency keys. */
  readonly name: string;
  readonly language: Language;
  readonly currency: string;
  readonly address: CreateAddressBody;
}

export interface PlannedVendor extends PlannedParty {
  readonly trade: Trade;
  readonly receipts: ReceiptForm;
  /** Charges VAT. */
  readonly isTaxed: boolean;
  readonly body: CreateVendorBody;
}

export interface PlannedClient extends PlannedParty {
  readonly body: CreateClientBody;
}

const LANGUAGES: readonly Language[] = ['he', 'en'];
/** Every sixth vendor and every fifth client is abroad. */
const VENDORS_PER_FOREIGN = 6;
const CLIENTS_PER_FOREIGN = 5;
const FOREIGN_VENDORS = [
  { currency: 'USD', country: 'GB', taxId: britishVatId },
  { currency: 'EUR', country: 'DE', taxId: germanVatId },
] as const;
const FORMS: Readonly<Record<Language, readonly ReceiptForm[]>> = {
  he: ['html', 'text'],
  en: ['pdf', 'html', 'e-invoice'],
};
const TERM_DAYS = [0, 30, 45, 60] as const;

const placeIn = (pattern: Bilingual, language: Language, place: Bilingual): string =>
  pattern[language].replace('{place}', place[language]);

export function planVendors(seed: number, count: number): PlannedVendor[] {
  const random = new Random(`${seed}/vendors`);
  return Array.from({ length: count }, (_, index) =>
    index % VENDORS_PER_FOREIGN === VENDORS_PER_FOREIGN - 1
      ? foreignVendor(random, index)
      : localVendor(random, index),
  );
}

function localVendor(random: Random, index: number): PlannedVendor {
  const language = languageOf(index);
  const trade = TRADES[index % TRADES.length]!;
  // Exempt dealers charge no VAT.
  const type = trade.name.he.includes('בע"מ') ? 'COMPANY' : random.chance(80) ? 'MURSHE' : 'PATOOR';
  const place = PLACES[Math.floor(index / TRADES.length) % PLACES.length]!;
  const forms = FORMS[language];
  return {
    ...{ name: numbered('vendor', index), language, trade, currency: 'ILS', isTaxed: type !== 'PATOOR' },
    receipts: forms[Math.floor(index / 2) % forms.length]!,
    address: localAddress(random, language),
    body: {
      ...details(random, {
        language,
        name: placeIn(trade.name, language, place),
        label: `vendor-${index + 1}`,
      }),
      ...{ type, taxId: israeliTaxId(random, type === 'COMPANY' ? '51' : '03') },
      ...(random.chance(30) ? { withholdingTaxRate: random.pick([5, 10, 20]) } : {}),
    },
  };
}

function foreignVendor(random: Random, index: number): PlannedVendor {
  const turn = Math.floor(index / VENDORS_PER_FOREIGN);
  const { currency, country, taxId } = FOREIGN_VENDORS[turn % FOREIGN_VENDORS.length]!;
  const name = placeIn(FOREIGN_TRADE.name, 'en', PLACES[turn % PLACES.length]!);
  return {
    ...{ name: numbered('vendor', index), language: 'en', trade: FOREIGN_TRADE, currency, isTaxed: false },
    receipts: 'e-invoice',
    address: foreignAddress(random, country),
    body: {
      ...details(random, { language: 'en', name, label: `vendor-${index + 1}` }),
      ...{ type: 'COMPANY', taxId: taxId(random) },
    },
  };
}

export function planClients(seed: number, count: number): PlannedClient[] {
  const random = new Random(`${seed}/clients`);
  return Array.from({ length: count }, (_, index) => {
    const isForeign = index % CLIENTS_PER_FOREIGN === CLIENTS_PER_FOREIGN - 1;
    const language = isForeign ? 'en' : languageOf(index);
    const trade = CLIENT_TRADES[index % CLIENT_TRADES.length]!;
    const place = PLACES[(Math.floor(index / CLIENT_TRADES.length) + 3) % PLACES.length]!;
    const type = random.pick(['COMPANY', 'COMPANY', 'MURSHE', 'PATOOR'] as const);
    return {
      ...{ name: numbered('client', index), language, currency: isForeign ? 'EUR' : 'ILS' },
      address: isForeign ? foreignAddress(random, 'DE') : localAddress(random, language),
      body: {
        ...details(random, { language, name: placeIn(trade, language, place), label: `client-${index + 1}` }),
        ...(isForeign
          ? { type: 'COMPANY', taxId: germanVatId(random) }
          : { type, taxId: israeliTaxId(random, type === 'COMPANY' ? '51' : '03') }),
      },
    };
  });
}

const languageOf = (index: number): Language => LANGUAGES[index % LANGUAGES.length]!;

export const numbered = (kind: string, index: number): string =>
  `${kind}-${String(index + 1).padStart(4, '0')}`;

/** The details that vendors and clients have in common. */
function details(
  random: Random,
  { language, name, label }: { language: Language; name: string; label: string },
) {
  const { first, last } = random.pick(PEOPLE);
  const days = random.pick(TERM_DAYS);
  return {
    name,
    email: `office@${label}.example`,
    phoneNumber: `03-555${random.int(1000, 9999)}`,
    paymentTermType: days === 0 ? ('DAYS_ONLY' as const) : ('CURRENT_PLUS_DAYS' as const),
    paymentTermDays: days,
    contact: { firstName: first[language], lastName: last[language], email: `contact@${label}.example` },
  };
}

const localAddress = (random: Random, language: Language): CreateAddressBody => ({
  street: random.pick(STREETS)[language],
  houseNumber: String(random.int(1, 140)),
  city: random.pick(CITIES)[language],
  zipCode: String(random.int(1_000_000, 9_999_999)),
});

const foreignAddress = (random: Random, country: 'GB' | 'DE'): CreateAddressBody => ({
  street: country === 'GB' ? 'Example Road' : 'Musterstraße',
  houseNumber: String(random.int(1, 300)),
  city: country === 'GB' ? 'London' : 'Berlin',
  country,
});

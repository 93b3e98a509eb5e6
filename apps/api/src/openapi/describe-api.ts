import { DocumentBuilder, type OpenAPIObject } from '@nestjs/swagger';

/** The groups of operations, in the order in which a newcomer uses them. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Clients', 'The parties that you issue documents to. A party can be a client and a vendor at once.'],
  [
    'Documents',
    'Invoices, receipts, credit notes, quotes, orders and delivery notes: issuing, previewing, settling, cancelling, and the feed of their changes. Numbers have no gaps, and an issued document is never changed.',
  ],
  ['Retainers', 'Documents that are issued every week, month or year. Missed dates are caught up.'],
  ['Vendors', 'The parties that you buy from, their pricelists, and quotes from them.'],
  ['Addresses and contacts', 'The addresses and the people that vendors, clients and warehouses refer to.'],
  ['Products', 'What you buy and sell, with SKUs and serial numbers.'],
  ['Inventory', 'Warehouses, the stock of each product in each of them, and the movements that change it.'],
  ['Files', 'Receipts, logos and other files: uploads, signed links, downloads.'],
  ['Expenses', 'Expenses with their receipts, and reading the fields of a receipt from a file or a URL.'],
  ['Purchase', 'Supplier invoices: what vendors have invoiced you for.'],
  ['Exchange rates', 'The rates that convert expenses to shekels: published ones and your own.'],
  [
    'Gateway',
    'Saved cards, charges, refunds, payment pages and recurring payments, with a sandbox provider.',
  ],
  [
    'Webhooks',
    'The endpoints that receive events, their deliveries with every attempt, replays and test events.',
  ],
  ['Events', 'The bodies that webhook endpoints receive, signed. Verify the signature before you parse one.'],
  ['Company', 'The settings of the company that the key belongs to.'],
  ['API keys', 'Keys and their roles.'],
  ['Sessions', 'Browsers that are signed in with a key.'],
  ['Audit', 'The changes of all records of the company, and its requests of the last weeks.'],
  ['Definitions', 'Custom fields, execution statuses of documents, and saved reports. They are stored only.'],
  ['Health', 'Probes for load balancers and orchestrators. They need no key.'],
];

const DESCRIPTION = `The back office of a business as an HTTP/JSON API: documents with gapless numbers, clients and vendors, products and stock, expenses and receipts, payments, and signed webhooks.

- **Authentication**: send an API key as \`Authorization: Bearer sk_…\`. The role of the key decides what it may do.
- **Errors** have one body on every route. Switch on \`code\`; each response lists the codes it can have in \`x-error-codes\`.
- **Retries**: send an \`Idempotency-Key\` with every call that creates or moves something, and repeat it after a 503, a 429 or no answer. A repeated call gets the first answer, with \`Idempotent-Replay: true\`.
- **Lists** say in \`x-list\` how they are read: \`paged\` by \`limit\` and \`page\`, \`whole\` at once, or as a \`feed\` by \`nextCursor\`. A paged list with \`x-list-end: short-page\` ends with the first page that has fewer rows than \`limit\`.
- **Money** is a decimal with at most two places, before and after VAT. Amounts with more places are refused, never rounded.
- Unknown fields in requests are ignored. Responses and events may gain fields, and lists of event types may grow.`;

/** Describes the API as a whole: its purpose, its groups of operations, and its keys. */
export function describeApi(publicUrl: string): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Counterfoil')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .setExternalDoc('The reference with its guides', `${publicUrl}/docs`)
    .addServer(publicUrl, 'This installation')
    .addSecurityRequirements('apiKey');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const base = builder.build();
  return { ...base, info: { ...base.info, contact: contactOf(publicUrl) }, components: { securitySchemes } };
}

/** The builder would add an empty e-mail address. */
const contactOf = (url: string) => ({ name: 'The operator of this installation', url });

/** The builder would call an opaque key a JWT. */
const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, `sk_…`: an opaque text that belongs to one company and has one role (`POST /api-keys`). It does not expire, and is refused as soon as it is revoked.',
  },
} as const;

import type { TestService } from '@counterfoil/test-harness';

/** Sets every text field on the page to each string in turn, and measures the page after each. */
export const TYPE_ALL = (texts: readonly string[]) => `(async () => {
  let widest = 0;
  let typed = 0;
  const others = ['checkbox', 'radio', 'file', 'date', 'datetime-local', 'number', 'hidden'];
  const fields = 'textarea, input' + others.map((type) => ':not([type=' + type + '])').join('');
  for (const text of ${JSON.stringify(texts)}) {
    const root = document.querySelector('[role=dialog]') ?? document;
    for (const field of root.querySelectorAll(fields)) {
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
      set.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      typed += 1;
    }
    await new Promise((drawn) => setTimeout(drawn));
    const { scrollWidth, clientWidth } = document.documentElement;
    widest = Math.max(widest, scrollWidth - clientWidth);
  }
  return { typed, widest };
})()`;

/** Records that only some forms need. */
export type NamedRecord = 'pricelist' | 'receipt' | 'endpoint' | 'held' | 'captured';

/**
 * The address of the page, of the first record of a list, which has `/` at its end, or of a named record, which has `:`
 * before it; and the button that opens the form.
 */
export type Form = readonly [at: string, button?: string];

/** The pages with text fields, and the button that opens each form. */
export const FORMS: readonly (readonly [area: string, forms: readonly Form[]])[] = [
  ['lists', [['vendors'], ['expenses'], ['documents'], ['stock'], ['webhooks/events']]],
  [
    'parties and stock',
    [
      ...([
        ['vendors', 'New vendor'],
        ['clients', 'New client'],
        ['vendors/', 'Edit'],
      ] as const),
      ...([
        ['stock', 'New warehouse'],
        ['stock', 'New stock record'],
      ] as const),
      ['stock/', 'Record a movement'],
      ['company', 'Edit'],
      ['keys', 'Create key'],
      [':pricelist', 'Paste from a spreadsheet'],
    ],
  ],
  [
    'documents and expenses',
    [
      ...([['documents/new'], ['retainers/new'], ['expenses/new?by=hand']] as const),
      ...([
        ['documents/', 'Send by e-mail'],
        ['documents/', 'Share a link'],
        [':receipt', 'Cancel document'],
      ] as const),
    ],
  ],
  [
    'payments, rates and webhooks',
    [
      ...([
        ['payments', 'New charge'],
        ['payments/cards', 'Save a card'],
      ] as const),
      ...([
        ['payments/pages', 'New payment page'],
        ['payments/recurring', 'New recurring payment'],
      ] as const),
      ...([
        ['rates', 'Save an own rate'],
        ['webhooks', 'Register endpoint'],
        [':endpoint', 'Edit'],
        [':held', 'Take the money'],
        [':captured', 'Refund'],
      ] as const),
    ],
  ],
];

/** Creates a receipt that can be cancelled, and charges that can be captured and refunded. Returns their addresses. */
export async function formRecords(
  service: TestService,
  entityId: number,
): Promise<Readonly<Record<'receipt' | 'held' | 'captured', string>>> {
  const create = async <Answer>(path: string, body: object): Promise<Answer> => {
    const { status, body: answer } = await service.request<Answer>('POST', path, body);
    if (status >= 300) throw new Error(`${path}: ${status}`);
    return answer;
  };
  const payments = [{ method: 'CASH', amount: 10 }];
  const receipt = await create<{ visibleId: string }>('/documents/create/receipt', { entityId, payments });
  const card = { provider: 'sandbox', providerToken: 'tok_approved' };
  const { tokenId } = await create<{ tokenId: number }>('/gateway/tokens', card);
  const charge = async (capture: boolean) => {
    const terms = { tokenId, amount: 10, capture };
    return `payments/charges/${(await create<{ chargeId: number }>('/gateway/charges', terms)).chargeId}`;
  };
  return {
    receipt: `documents/${receipt.visibleId}`,
    held: await charge(false),
    captured: await charge(true),
  };
}

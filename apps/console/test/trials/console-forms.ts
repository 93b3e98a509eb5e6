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

/** The address of the page, or of the first record of a list, which is named by `/` at its end; and the button that opens the form. */
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
    ],
  ],
  [
    'documents and expenses',
    [
      ...([['documents/new'], ['retainers/new'], ['expenses/new?by=hand']] as const),
      ...([
        ['documents/', 'Send by e-mail'],
        ['documents/', 'Share a link'],
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
      ] as const),
    ],
  ],
];

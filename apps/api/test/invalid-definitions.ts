import { type BodyUnderTest, choice, clearableText, kind, required, text } from './invalid-values';

const NAME = required(text(100));

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}{}${'}'.repeat(levels)}`;

const color = kind(
  [
    ...clearableText(7).wrong,
    '"#12345"',
    '"#1234567"',
    '"#12345g"',
    '"123456"',
    '"#123"',
    '"#123456 "',
    '"#123456\\n"',
    '"red"',
    '"#١٢٣٤٥٦"',
    '"rgb(1,2,3)"',
  ],
  false,
);

/** The filters are stored unchanged, whatever they contain. */
const filters = kind(
  [
    ...['5', '0', 'true', 'false', '"x"', '""', '"{}"', '[]', '[{}]', '[["a",1]]'],
    ...['1e999', '-1e999', '1e309', '9007199254740993', '-9007199254740993', '1e21'].flatMap((number) => [
      `{"a":${number}}`,
      `{"a":[{"b":[1,${number}]}]}`,
    ]),
    nested(8),
    `{"a":${'['.repeat(8)}${']'.repeat(8)}}`,
    nested(15),
    JSON.stringify({ a: 'x'.repeat(16 * 1024) }),
    JSON.stringify({ a: 'ש'.repeat(8 * 1024) }),
  ],
  false,
);

/** Invalid values for the fields of a company's definitions, see `invalid-fields.ts`. */
export const DEFINITION_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'a custom field',
    method: 'POST',
    path: '/custom-fields',
    valid: { name: 'Region', appliesTo: 'vendor', fieldType: 'text' },
    fields: {
      name: NAME,
      appliesTo: required(kind([...choice.wrong, '"Vendor"', '"vendors"', '"expense"'], false)),
      fieldType: required(kind([...choice.wrong, '"TEXT"', '"string"', '"integer"'], false)),
    },
  },
  {
    name: 'an execution status',
    method: 'POST',
    path: '/document-execution-statuses',
    valid: { name: 'Packed', color: '#1E90FF' },
    fields: { name: NAME, color },
  },
  {
    name: 'a saved report',
    method: 'POST',
    path: '/reports/documents/saved',
    valid: { name: 'Unpaid', filters: { status: 'OPEN' } },
    fields: { name: NAME, filters: required(filters) },
  },
];

import { type BodyUnderTest, choice, clearableText, kind, required } from './invalid-values';

const tooMany = JSON.stringify(Array.from({ length: 21 }, (_, at) => `a${at}@example.com`));
const ADDRESSES = [
  ...['5', '"a@example.com"', 'true', '{}', '{"0":"a@example.com"}', '[5]', '[null]', '[["a@example.com"]]'],
  ...['[""]', '["a"]', '["a@b"]', '["a b@example.com"]', '["Dana <dana@example.com>"]'],
  ...['["\\"a b\\"@example.com"]', '["\\"<a>\\"@example.com"]', '["\u05d3\u05e0\u05d4@example.com"]'],
  ...['["a@example.com,b@example.com"]', '["a@example.com\\r\\nBcc: b@example.com"]'],
  JSON.stringify([`${'x'.repeat(65)}@example.com`]),
  JSON.stringify([`x@${'y'.repeat(250)}.com`]),
  tooMany,
];
const addresses = kind(ADDRESSES, false);

/** Invalid values for the addresses and texts of mails. */
export const SENDING_FIELDS = {
  to: required(kind([...ADDRESSES, '[]'], false)),
  cc: addresses,
  subject: kind([...clearableText(200).wrong, '"two\\nlines"', '"two\\rlines"'], false),
  message: clearableText(5_000),
};

/** Invalid values for the fields of mails, see `invalid-fields.ts`. */
export const MAIL_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'a mail with a document',
    method: 'POST',
    path: '/documents/id/1/send',
    valid: { to: ['dana@example.com'] },
    fields: { ...SENDING_FIELDS, language: choice, stamp: choice },
  },
  {
    name: 'reminders of a document',
    method: 'PUT',
    path: '/documents/id/1/reminders',
    valid: { enabled: true },
    fields: { enabled: required(kind(['"true"', '"x"', '0', '1', '{}', '[]', '[true]'], false)) },
  },
];

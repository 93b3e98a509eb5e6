import { mailableAddress } from './addresses';

it.each([
  ['dana@example.com', 'dana@example.com'],
  [" dana.o'neil+a@sub.example.co.il ", "dana.o'neil+a@sub.example.co.il"],
  ['dana@דוגמה.co.il', 'dana@xn--5dbba9cg.co.il'],
  ['דנה@example.com', null],
  ['"dana levi"@example.com', null],
  ['dana@localhost', null],
  ['dana@xn--iñvalid.com', null],
  ['dana levi@example.com', null],
  ['a@example.com, b@example.com', null],
  ['a@example.com\r\nBcc: b@example.com', null],
  ['', null],
])('%j is %j to mail servers', (address, mailable) => {
  const found = mailableAddress(address);
  if (mailable?.includes('xn--')) expect(found).toMatch(/^dana@xn--[a-z0-9]+\.co\.il$/);
  else expect(found).toBe(mailable);
});

import { createHmac, hkdfSync } from 'node:crypto';
import { type Sign, Signatures } from './signatures';

const FORMER = { id: null, key: 'k'.repeat(32) };
const NEXT = { id: 'next', key: 'n'.repeat(32) };
const textBy = (text: string) => (sign: Sign) => sign(text).toString('hex');
const signed = (signatures: Signatures, text: string) => textBy(text)(signatures.sign);

describe('Signatures', () => {
  it('are an HMAC-SHA256 of all parts, with a key derived for the purpose', () => {
    const key = Buffer.from(hkdfSync('sha256', FORMER.key, '', 'counterfoil/test', 32));
    const expected = createHmac('sha256', key).update('abc').digest();
    expect(new Signatures([FORMER], 'test').sign('a', Buffer.from('bc'))).toEqual(expected);
  });

  it('are made with the first key, and verified with all of them', () => {
    const [former, next] = [new Signatures([FORMER], 'test'), new Signatures([NEXT], 'test')];
    const both = new Signatures([NEXT, FORMER], 'test');
    expect(signed(both, 'a')).toBe(signed(next, 'a'));
    expect(both.verify(signed(former, 'a'), textBy('a'))).toBe(true);
    expect(both.verify(signed(next, 'a'), textBy('a'))).toBe(true);
    expect(next.verify(signed(former, 'a'), textBy('a'))).toBe(false);
  });

  it('are valid for nothing else', () => {
    const both = new Signatures([NEXT, FORMER], 'test');
    expect(both.verify(signed(both, 'a'), textBy('b'))).toBe(false);
    expect(both.verify(signed(new Signatures([FORMER], 'other'), 'a'), textBy('a'))).toBe(false);
    for (const text of ['', 'a', 'a'.repeat(64), signed(both, 'a').slice(1)]) {
      expect(both.verify(text, textBy('a'))).toBe(false);
    }
  });
});

import { decodeHtml } from './decode-html';
import { decodeText } from './decode-text';

/** `קבלה מס` in windows-1255. */
const HEBREW_1255 = Buffer.from('f7e1ece420eef1', 'hex');

describe('decoding a text', () => {
  it('uses the byte order mark', () => {
    expect(decodeText(Buffer.from('\ufeffקבלה', 'utf8'), 'windows-1252')).toBe('קבלה');
    expect(decodeText(Buffer.from('\ufeffקבלה', 'utf16le'))).toBe('קבלה');
    expect(decodeText(Buffer.from('\ufeffTotal', 'utf16le').swap16())).toBe('Total');
  });

  it('detects UTF-16 without a byte order mark', () => {
    expect(decodeText(Buffer.from('Total 12.00', 'utf16le'))).toBe('Total 12.00');
  });

  it('detects UTF-8, whatever is declared', () => {
    expect(decodeText(Buffer.from('Größe ₪'), 'iso-8859-1')).toBe('Größe ₪');
  });

  it.each(['utf-8', undefined])(
    'keeps the rest of UTF-8 in which a character is damaged, declared: %s',
    (declared) => {
      const bytes = Buffer.concat([Buffer.from('קבלה מס 17 '), Buffer.from([0xd7]), Buffer.from(' סכום')]);
      expect(decodeText(bytes, declared)).toBe('קבלה מס 17 \ufffd סכום');
    },
  );

  it('uses the declared encoding if the bytes allow it', () => {
    expect(decodeText(Buffer.from('e1', 'hex'), 'windows-1250')).toBe('á');
    expect(decodeText(HEBREW_1255, 'iso-8859-8-i')).toBe('קבלה מס');
    expect(decodeText(HEBREW_1255, 'utf-8')).toBe('קבלה מס');
    expect(decodeText(HEBREW_1255, 'no-such-encoding')).toBe('קבלה מס');
  });

  it('distinguishes Hebrew words and accented letters', () => {
    expect(decodeText(HEBREW_1255)).toBe('קבלה מס');
    expect(decodeText(Buffer.from('Re\u00e7u pay\u00e9 \u00e0 l\u2019h\u00f4tel', 'latin1'))).toContain(
      'payé',
    );
  });

  it('uses the declarations of HTML', () => {
    const page = (head: string) => Buffer.concat([Buffer.from(head), HEBREW_1255]);
    expect(decodeHtml(page('<meta charset=windows-1255>'))).toContain('קבלה');
    expect(
      decodeHtml(page('<META http-equiv="Content-Type" content="text/html; charset=iso-8859-8-i">')),
    ).toContain('קבלה');
    expect(decodeHtml(page('<?xml version="1.0" encoding="windows-1255"?><html>'))).toContain('קבלה');
    expect(decodeHtml(page('<meta charset="windows-1252">'))).toContain('÷áìä');
  });
});

import { kindOfBytes, kindOfExtension } from './file-kind';
import { UnreadableDocument } from './unreadable-document';

const bytes = (text: string, encoding: BufferEncoding = 'latin1') => Buffer.from(text, encoding);

describe('the kind of a document by its name', () => {
  it.each([
    ['a.pdf', 'pdf'],
    ['A.B.JPEG', 'jpeg'],
    ['scan.jpg', 'jpeg'],
    ['a.TIF', 'tiff'],
    ['a.tiff', 'tiff'],
    ['photo.HEIF', 'heic'],
    ['page.htm', 'html'],
    ['קבלה.txt ', 'txt'],
    ['invoice.xml', 'xml'],
    ['a.constructor', undefined],
    ['a.docx', undefined],
    ['pdf', undefined],
    ['', undefined],
  ])('%s is %s', (name, kind) => expect(kindOfExtension(name)).toBe(kind));
});

describe('the kind of a document by its bytes', () => {
  it.each([
    ['pdf', '%PDF-1.4\n'],
    ['pdf', '\r\n\r\njunk before it %PDF-1.7'],
    ['png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF %PDF-1.4'],
    ['webp', 'RIFF\x10\0\0\0WEBPVP8 '],
    ['tiff', 'II*\0\x08\0\0\0'],
    ['tiff', 'MM\0*\0\0\0\x08'],
    ['heic', '\0\0\0\x18ftypheic\0\0\0\0'],
    ['heic', '\0\0\0\x18ftypmif1\0\0\0\0'],
    ['html', '  <!DOCTYPE html><html>'],
    ['html', '<!-- saved --><table><tr>'],
    ['html', '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'],
    ['xml', '<?xml version="1.0"?><Invoice>'],
    ['xml', '\xef\xbb\xbf<rsm:CrossIndustryInvoice xmlns:rsm="a">'],
    ['txt', 'Total: 12.00'],
    ['txt', '< 5 items'],
    ['txt', '\xf7\xe1\xec\xe4'],
    [undefined, ''],
    [undefined, '\0\x01\x02\x03'],
    [undefined, 'PK\x03\x04\x14\0\0\0'],
    [undefined, '%!PS-Adobe-3.0'],
    [undefined, '{\\rtf1\\ansi'],
    [undefined, '\0\0\0\x18ftypavif\0\0\0\0'],
  ])('%s: %j', (kind, text) => expect(kindOfBytes(bytes(text))).toBe(kind));

  it('reads UTF-16 with and without a byte order mark', () => {
    expect(kindOfBytes(bytes('\ufeff<?xml version="1.0"?><a>', 'utf16le'))).toBe('xml');
    expect(kindOfBytes(bytes('<?xml version="1.0"?><Invoice>', 'utf16le'))).toBe('xml');
    expect(kindOfBytes(bytes('\ufeffTotal 12.00', 'utf16le'))).toBe('txt');
  });
});

describe('the kind of a document with a declared kind', () => {
  it('is that of the signature, whatever the name', () => {
    expect(kindOfBytes(bytes('%PDF-1.4'), 'txt')).toBe('pdf');
    expect(kindOfBytes(bytes('\xff\xd8\xff\xe0'), 'xml')).toBe('jpeg');
  });

  it('is that of the name if the bytes are text', () => {
    expect(kindOfBytes(bytes('<!doctype html>'), 'txt')).toBe('txt');
    expect(kindOfBytes(bytes('Total 12.00'), 'html')).toBe('html');
  });

  it('is damaged if the name says PDF or image and the bytes do not', () => {
    for (const kind of ['pdf', 'png', 'jpeg', 'heic'] as const)
      expect(() => kindOfBytes(bytes('<html>not found</html>'), kind)).toThrow(UnreadableDocument);
  });

  it('is undefined if the bytes are not text', () => {
    expect(kindOfBytes(bytes('\0\x01\x02'), 'txt')).toBeUndefined();
  });
});

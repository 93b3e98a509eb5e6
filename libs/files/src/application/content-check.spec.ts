import { createHash, randomBytes } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { FILE_BYTES_MAX } from '../domain/file';
import { type CheckedContent, ContentCheck } from './content-check';

/** Pieces of any size. */
async function* piecesOf(bytes: Buffer, size = bytes.length): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += Math.max(1, size))
    yield bytes.subarray(at, at + Math.max(1, size));
}

async function check(bytes: Buffer, size?: number): Promise<CheckedContent> {
  const content = new ContentCheck();
  const passed: Buffer[] = [];
  for await (const piece of content.pass(piecesOf(bytes, size))) passed.push(piece);
  expect(Buffer.concat(passed).equals(bytes)).toBe(true);
  return content.end();
}

const typeOf = async (content: Buffer | string, size?: number): Promise<string> =>
  (await check(Buffer.from(content), size)).mimeType;

const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

/** A ZIP file with these entries. The first one declares its type. */
function zip(entries: Readonly<Record<string, string>>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const data = Buffer.from(text);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt32LE(data.length, 14);
    header.writeUInt32LE(data.length, 18);
    header.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), data]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    const entry = [Buffer.from('PK\x01\x02\x14\0'), header, more, Buffer.from(name)];
    directory.push(Buffer.concat(entry));
    files.push(file);
    offset += file.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const LONG = Buffer.alloc(100_000, 'x');
const UBL = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>1</ID></Invoice>';
const DOCX = zip({
  '[Content_Types].xml':
    '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
  'word/document.xml': '<w/>',
});

describe('the type is detected from the bytes', () => {
  it.each<[string, Buffer | string, string]>([
    ['a PDF', '%PDF-1.7\n1 0 obj', 'application/pdf'],
    [
      'a PDF with bytes',
      Buffer.concat([Buffer.from('%PDF-1.4\n%'), randomBytes(100_000)]),
      'application/pdf',
    ],
    ['a PNG', PNG, 'image/png'],
    [
      'a PNG with a large profile',
      Buffer.concat([
        PNG.subarray(0, 33),
        Buffer.from('00030000', 'hex'),
        Buffer.from('iCCP'),
        randomBytes(0x30004),
        PNG.subarray(33),
      ]),
      'image/png',
    ],
    ['a JPEG', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), 'image/jpeg'],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0', 'latin1'), 'image/gif'],
    ['a WebP', Buffer.from('RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0', 'latin1'), 'image/webp'],
    ['a TIFF', Buffer.concat([Buffer.from('49492a0008000000', 'hex'), Buffer.alloc(100)]), 'image/tiff'],
    [
      'a TIFF with its directory at its end',
      Buffer.concat([Buffer.from('49492a0000000100', 'hex'), LONG, randomBytes(999)]),
      'image/tiff',
    ],
    ['a HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'image/heic'],
    ['a ZIP', zip({ 'a.txt': 'x' }), 'application/zip'],
    ['a DOCX', DOCX, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a program', Buffer.concat([Buffer.from('MZ'), randomBytes(200)]), 'application/x-msdownload'],
    ['plain text', 'Receipt no. 7\nTotal 118.00\n', 'text/plain'],
    ['text in Hebrew', 'קבלה מס׳ 7', 'text/plain'],
    ['text with a mark of its order', '\uFEFFקבלה', 'text/plain'],
    ['text in UTF-16', utf16('קבלה', 'le'), 'text/plain'],
    ['text in UTF-16, the other way', utf16('קבלה', 'be'), 'text/plain'],
    ['text that begins as a picture', 'BMW 320, GIF, %!', 'text/plain'],
    ['text that begins as a sound', 'ID3 tags', 'text/plain'],
    ['one letter', 'a', 'text/plain'],
    ['JSON', '{"a":1}', 'text/plain'],
    ['HTML', '<!DOCTYPE html><p>Receipt', 'text/html'],
    ['HTML behind a comment', ' \n<!-- x --><HTML lang=he>', 'text/html'],
    ['HTML without its frame', '<div>Receipt</div>', 'text/html'],
    ['HTML in UTF-16', utf16('<html><body>', 'le'), 'text/html'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', 'text/html'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'],
    ['SVG with a declaration', '<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE svg>\n<svg/>', 'image/svg+xml'],
    ['SVG with a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['XML', `<?xml version="1.0" encoding="UTF-8"?>${UBL}`, 'application/xml'],
    ['XML without a declaration', UBL, 'application/xml'],
    ['XML in UTF-16', utf16('<?xml version="1.0"?><a/>', 'be'), 'application/xml'],
    [
      'HTML in windows-1255',
      Buffer.from('<html><body>\xf7\xe1\xec\xe4</body></html>', 'latin1'),
      'text/html',
    ],
    [
      'a PDF behind something else',
      Buffer.from('\r\n%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
      'application/pdf',
    ],
    ['text with NUL', 'a\0b', 'application/octet-stream'],
    ['text in no encoding', Buffer.from([0x61, 0xff, 0x62]), 'application/octet-stream'],
    ['half a character', Buffer.from([0x61, 0xd7]), 'application/octet-stream'],
    ['UTF-16 that breaks off', Buffer.concat([utf16('ab', 'be'), Buffer.of(1)]), 'application/octet-stream'],
    ['UTF-16 with a half pair', utf16('\ud800a', 'be'), 'application/octet-stream'],
    ['bytes', Buffer.alloc(50_000), 'application/octet-stream'],
    [
      'a long text that breaks at its end',
      Buffer.concat([LONG, Buffer.of(0xc0)]),
      'application/octet-stream',
    ],
  ])('%s', async (_, content, type) => {
    expect(await typeOf(content)).toBe(type);
    expect(await typeOf(content, 1)).toBe(type);
    expect(await typeOf(content, 4_097)).toBe(type);
  });

  it('of text cut into any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(9), async (text, size) => {
        const bytes = Buffer.from(`x${text.replaceAll('\0', '')}`);
        expect(await typeOf(bytes, size)).toBe('text/plain');
      }),
    );
  });

  it('and detection never fails', async () => {
    const starts = [
      '%PDF',
      'PK\x03\x04',
      '\x1f\x8b',
      '\x89PNG\r\n\x1a\n',
      'RIFF',
      'II*\0',
      'ID3',
      '<',
      'ftyp',
      '\x1aE\xdf\xa3',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array(), fc.nat(64), async (start, rest, size) => {
        const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest]);
        expect(await typeOf(bytes, size)).toMatch(/^[a-z]+\/[\w.+-]+/);
      }),
    );
  });

  it.each<[string, Buffer]>([
    ['a compressed file that grows a thousand times', gzipSync(Buffer.alloc(12 * 1024 * 1024))],
    ['a ZIP of it', zipBomb()],
    ['comments without end', Buffer.from('<!--'.repeat(4_000))],
    ['tags without end', Buffer.from('<a '.repeat(6_000))],
    ['declarations without end', Buffer.from('<?x?>'.repeat(4_000))],
  ])('and detection takes little time for %s', async (_, content) => {
    const started = performance.now();
    await typeOf(content);
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});

function zipBomb(): Buffer {
  const data = deflateRawSync(Buffer.alloc(12 * 1024 * 1024));
  const name = '[Content_Types].xml';
  const header = Buffer.alloc(26);
  header.writeUInt16LE(8, 4);
  header.writeUInt32LE(data.length, 14);
  header.writeUInt32LE(0xffff, 18);
  header.writeUInt16LE(name.length, 22);
  return Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), data]);
}

describe('size and digest', () => {
  it('cover all bytes', async () => {
    const bytes = randomBytes(200_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await check(bytes, 7_001)).toMatchObject({ size: 200_000, sha256 });
  });

  it('are refused for an empty file', async () => {
    await expect(check(Buffer.alloc(0))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'file', problem: 'must not be empty' }],
    });
  });

  it('are computed for 25 MiB, and one byte more is refused', async () => {
    const most = Buffer.alloc(FILE_BYTES_MAX, 'x');
    expect(await check(most, 1024 * 1024)).toMatchObject({ size: FILE_BYTES_MAX, mimeType: 'text/plain' });
    const more = Buffer.concat([most, Buffer.of(0x78)]);
    await expect(check(more, 1024 * 1024)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('are refused before the rest arrives', async () => {
    let asked = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      const piece = Buffer.alloc(1024 * 1024);
      for (;;) {
        asked += 1;
        yield piece;
      }
    }
    const passing = (async () => {
      for await (const _ of new ContentCheck().pass(endless()));
    })();
    await expect(passing).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(asked).toBe(26);
  });
});

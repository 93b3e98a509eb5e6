import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { pdfOf, stream } from './pdf-file';

type Made = () => Buffer | Promise<Buffer>;

const MIB = 1024 * 1024;

/**
 * Documents that try to consume time or memory or to reveal secrets, or that are not what they claim to be,
 * in realistic sizes.
 */
export function hostileDocuments(): Readonly<Record<string, Made>> {
  return { ...pdfs(), ...markup(), ...images(), ...misnamed() };
}

function pdfs(): Record<string, Made> {
  const line = (text: string): Buffer => stream(`BT /F1 12 Tf 50 700 Td (${text}) Tj ET`);
  const paid = line('Acme Ltd invoice 4711 of 2024-01-02 for goods and services, total EUR 119.00');
  return {
    'truncated.pdf': () => firstHalf(pdfOf([paid])),
    'encrypted.pdf': () => pdfOf([paid], { trailer: `/Encrypt ${LOCK}` }),
    'ten-thousand-pages.pdf': () => pdfOf(Array.from({ length: 10_000 }, (_, page) => line(`Page ${page}`))),
    'deflate-bomb.pdf': () => pdfOf([flate(bomb(4096 * MIB))]),
    'double-deflate-bomb.pdf': () =>
      pdfOf([flate(deflateSync(bomb(4096 * MIB)), '[/FlateDecode /FlateDecode]')]),
    'scripts-and-launch.pdf': () =>
      pdfOf([paid], {
        catalog:
          '/OpenAction << /S /JavaScript /JS (while \\(true\\) app.alert\\(1\\);) >> ' +
          '/AA << /WC << /S /Launch /F (/bin/sh) /Win << /F (cmd.exe) >> >> >>',
        page: '/AA << /O << /S /URI /URI (http://127.0.0.1:9/) >> >>',
      }),
    'huge-page.pdf': () => pdfOf([stream('0 0 1 rg 0 0 100 100 re f')], { box: '0 0 1e9 1e9' }),
    'thin-page.pdf': () => pdfOf([stream('0 0 1 rg 0 0 100 100 re f')], { box: '0 0 1 1e9' }),
    'huge-image.pdf': () =>
      pdfOf([stream('q 600 0 0 800 0 0 cm /Im Do Q')], {
        resources: '/XObject << /Im 3 0 R >>',
        objects: [hugeImage()],
      }),
    'endless-form.pdf': () =>
      pdfOf([stream('/Fm Do /Fm Do')], {
        resources: '/XObject << /Fm 3 0 R >>',
        objects: [
          stream(
            '/Fm Do /Fm Do',
            '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /Fm 3 0 R >> >>',
          ),
        ],
      }),
    'page-tree-loop.pdf': () => pdfOf([paid], { kids: '[2 0 R 2 0 R]' }),
  };
}

/** The standard security handler with an unknown password. */
const LOCK = `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'4f'.repeat(32)}> /U <${'55'.repeat(32)}> >>`;

function flate(data: Buffer, filter = '/FlateDecode'): Buffer {
  return stream(data, `/Filter ${filter}`);
}

/**
 * Builds a deflate stream of `size` spaces. It repeats one compressed block, because compressing all of it
 * would take as long as inflating it.
 */
function bomb(size: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(16 * MIB, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: Math.ceil(size / (16 * MIB)) }, () => block);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, Buffer.from([0x03, 0x00, 0, 0, 0, 1])]);
}

function hugeImage(): Buffer {
  const dictionary =
    '/Type /XObject /Subtype /Image /Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB ' +
    '/Filter /FlateDecode';
  return stream(bomb(16 * MIB), dictionary);
}

function markup(): Record<string, Made> {
  const invoice = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>&a9;</ID>';
  const entities = Array.from({ length: 9 }, (_, index) => {
    const inner = `&a${index};`.repeat(10);
    return `<!ENTITY a${index + 1} "${inner}">`;
  });
  return {
    'entity-bomb.xml': () =>
      text(
        `<?xml version="1.0"?><!DOCTYPE Invoice [<!ENTITY a0 "lol">${entities.join('')}]>${invoice}</Invoice>`,
      ),
    'external-entity.xml': () =>
      text(`<!DOCTYPE Invoice [<!ENTITY a9 SYSTEM "file:///etc/passwd">]>${invoice}</Invoice>`),
    'external-dtd.xml': () =>
      text(`<!DOCTYPE Invoice SYSTEM "http://127.0.0.1:9/a.dtd">${invoice}</Invoice>`),
    'truncated.xml': () => text('<?xml version="1.0"?><Invoice><ID>4711</ID><LegalMonetaryTotal><Tax'),
    'nested.xml': () => text('<?xml version="1.0"?>' + '<a>'.repeat(100_000) + '</a>'.repeat(100_000)),
    'wide.xml': () => text('<?xml version="1.0"?><a>' + '<b/>'.repeat(6_000_000) + '</a>'),
    'brackets.xml': () => text('<?xml version="1.0"?><a>' + '<'.repeat(24 * MIB)),
    'truncated.html': () => text('<!doctype html><html><body><table><tr><td>Total<td>1'),
    'nested.html': () => text('<!doctype html>' + '<div>'.repeat(1_000_000) + 'deep'),
    'nested-tables.html': () => text('<!doctype html>' + '<table><tr><td>'.repeat(200_000) + 'deep'),
    'closing-tags.html': () => text('<!doctype html>' + '<b>'.repeat(1_000_000) + '</i>'.repeat(1_000_000)),
    'many-attributes.html': () => text(`<!doctype html><div ${'a=1 '.repeat(5_000_000)}>text</div>`),
    'many-styles.html': () =>
      text(`<!doctype html><style>${'.a{display:none}'.repeat(1_000_000)}</style>text`),
    'one-line.html': () => text('<!doctype html><p>' + 'lorem ipsum '.repeat(2 * MIB)),
    'one-line.txt': () => Buffer.alloc(25 * MIB, 'total 1.00 '),
    'one-word.txt': () => Buffer.alloc(25 * MIB, '1'),
    'many-lines.txt': () => Buffer.alloc(25 * MIB, '1\n'),
    'many-columns.txt': () => Buffer.alloc(25 * MIB, '1   '),
    'spaces.txt': () => Buffer.concat([Buffer.alloc(25 * MIB - 1, ' '), text('x')]),
    'tabs.txt': () => Buffer.alloc(25 * MIB, 'a\t'),
  };
}

function text(content: string): Buffer {
  return Buffer.from(content, 'latin1');
}

function images(): Record<string, Made> {
  return {
    'huge.png': () => png(50_000, 50_000, Buffer.from('x')),
    'huge-bomb.png': () => png(50_000, 50_000, bomb(512 * MIB)),
    'text-bomb.png': () => png(8, 8, deflateSync(Buffer.alloc(8 * 25)), ['zTXt', textBomb()]),
    'long-data-bomb.png': () => png(8, 8, bomb(2048 * MIB)),
    'truncated.png': () => firstHalf(png(64, 64, deflateSync(Buffer.alloc(64 * 193, 0x55)))),
    'truncated.jpg': () => Buffer.from('ffd8ffe000104a46494600010101006000600000ffdb0043000806', 'hex'),
    'huge.tif': () =>
      Buffer.from('49492a0008000000020000010400010000005082010001010400010000005082010000000000', 'hex'),
    'empty.heic': () => Buffer.concat([Buffer.from([0, 0, 0, 16]), text('ftypheic'), Buffer.alloc(4)]),
    'empty.webp': () => Buffer.concat([text('RIFF'), Buffer.from([4, 0, 0, 0]), text('WEBP')]),
  };
}

function textBomb(): Buffer {
  return Buffer.concat([text('Comment\0\0'), bomb(1024 * MIB)]);
}

/** Builds an RGB image with the given compressed data. */
function png(
  width: number,
  height: number,
  data: Buffer,
  extra?: readonly [type: string, data: Buffer],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), ...(extra ? [chunk(...extra)] : [])];
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    ...chunks,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([text(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

function misnamed(): Record<string, Made> {
  const pdf = (): Buffer => pdfOf([stream('BT /F1 12 Tf 50 700 Td (Total EUR 119.00) Tj ET')]);
  return {
    'empty.pdf': () => Buffer.alloc(0),
    'empty.txt': () => Buffer.alloc(0),
    'zeros.txt': () => Buffer.alloc(MIB),
    'noise.pdf': () => noise(MIB),
    'noise.html': () => noise(MIB),
    'text-as.pdf': () => text('Total 119.00 EUR'),
    'html-as.png': () => text('<!doctype html><html><body>Total 119.00</body></html>'),
    'pdf-as.xml': pdf,
    'html-as.xml': () => text('<!doctype html><html><body>Total<br>119.00</body></html>'),
    'jpeg-and.pdf': () => Buffer.concat([Buffer.from('ffd8ffe000104a4649460001', 'hex'), pdf()]),
    'html-and.pdf': () =>
      Buffer.concat([text('<html><script>alert(1)</script><body>Total 1.00</body></html>\n'), pdf()]),
    'archive.pdf': () => Buffer.concat([text('PK\x03\x04'), noise(4_096)]),
  };
}

/** Deterministic pseudo-random bytes. */
function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(Array.from({ length }, () => (state = (state * 48_271) % 0x7fffffff) & 0xff));
}

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

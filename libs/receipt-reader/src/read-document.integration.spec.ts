import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Place } from './place';

// The engines are ES modules with native parts, which do not run inside Jest, so a separate process runs the compiled
// code.
const COMPILED = path.resolve(__dirname, '../../../dist/libs/receipt-reader/src');
const CHILD = `
  const { readDocument } = require('./read-document.js');
  const { kindOfExtension } = require('./file-kind.js');
  const { hostileDocuments } = require('../../test-harness/src/hostile-documents.js');
  const { pdfOf, stream } = require('../../test-harness/src/pdf-file.js');
  const options = { today: '2026-11-22', recognise: false };
  async function read(bytes, declaredKind, limits) {
    const started = performance.now();
    try {
      const { reading, pages } = await readDocument(bytes, { ...options, limits, ...(declaredKind && { declaredKind }) });
      return { ...reading, texts: pages.map(({ spans }) => spans.map(({ text }) => text)), ms: performance.now() - started };
    } catch (error) {
      return { error: error.reason ?? error.constructor.name, ms: performance.now() - started };
    }
  }
  async function readHostile(names) {
    const all = hostileDocuments();
    const answers = {};
    for (const name of names) {
      const bytes = await all[name]();
      answers[name] = { asFound: await read(bytes), asNamed: await read(bytes, kindOfExtension(name)) };
      answers[name].asFound.texts = answers[name].asNamed.texts = undefined;
    }
    return answers;
  }
`;

interface Answer {
  readonly error?: string;
  readonly source?: string;
  readonly fields?: Record<string, unknown>;
  readonly places?: Readonly<Record<string, Place>>;
  readonly pages?: number;
  readonly pageCount?: number;
  readonly texts?: string[][];
  readonly ms: number;
}

/** Evaluates the expression in a process with the same memory limit as the one that serves. */
function run<T>(expression: string): T {
  const code = `${CHILD}\nPromise.resolve(${expression}).then((it) => process.stdout.write(JSON.stringify(it)));`;
  const args = ['--max-old-space-size=512', '-e', code];
  const output = execFileSync(process.execPath, args, {
    cwd: COMPILED,
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(output.toString()) as T;
}

const readText = (text: string, declaredKind?: string): Answer =>
  run(`read(Buffer.from(${JSON.stringify(text)}), ${JSON.stringify(declaredKind)})`);

describe('reading a PDF', () => {
  const line = (text: string, x: number, y: number) => `BT /F1 12 Tf ${x} ${y} Td (${text}) Tj ET `;
  const page = [
    line('Acme Ltd, 1 High Street, London', 50, 780),
    line('Invoice number', 50, 700),
    line('INV-42', 300, 700),
    line('Total to pay', 50, 680),
    line('GBP 120.00', 300, 680),
  ].join('');

  it('returns its text in cells', () => {
    const answer = run<Answer>(`read(pdfOf([stream(${JSON.stringify(page)})]))`);
    expect(answer).toMatchObject({ source: 'pdf-text', pages: 1 });
    expect(answer.texts).toEqual([
      ['Acme Ltd, 1 High Street, London', 'Invoice number', 'INV-42', 'Total to pay', 'GBP 120.00'],
    ]);
  });

  it('says where each field is printed on the page', () => {
    const { places } = run<Answer>(`read(pdfOf([stream('q Q'), stream(${JSON.stringify(page)})]))`);
    // The baseline of the total is 680 points above the lower edge of a page of 595 by 842.
    expect(places?.['total']).toEqual({
      page: 2,
      ...{ x: expect.closeTo(328 / 595, 2), y: expect.closeTo(153 / 842, 2) },
      ...{ width: expect.closeTo(37 / 595, 2), height: expect.closeTo(12 / 842, 2) },
    });
    expect(places?.['documentNumber']).toMatchObject({ page: 2, x: expect.closeTo(300 / 595, 2) });
  });

  it('says it of the page as viewers show it', () => {
    const [plain, turned] = ['', '/Rotate 90'].map(
      (entry) =>
        run<Answer>(`read(pdfOf([stream(${JSON.stringify(page)})], { page: '${entry}' }))`).places?.['total'],
    );
    const { x, y, width, height } = plain!;
    expect(turned).toEqual({
      page: 1,
      ...{ x: expect.closeTo(1 - y - height, 3), y: expect.closeTo(x, 3) },
      ...{ width: expect.closeTo(height, 3), height: expect.closeTo(width, 3) },
    });
  });

  it('returns the attached invoice, whatever its name', () => {
    const xml = `<rsm:CrossIndustryInvoice xmlns:rsm="urn:a" xmlns:ram="urn:b"><rsm:ExchangedDocument><ram:ID>RE-7</ram:ID>
      </rsm:ExchangedDocument></rsm:CrossIndustryInvoice>`;
    const answer = run<Answer>(`read(pdfOf([stream(${JSON.stringify(page)})], {
      catalog: '/Names << /EmbeddedFiles << /Names [(data.bin) 3 0 R] >> >>',
      objects: [Buffer.from('<< /Type /Filespec /F (data.bin) /EF << /F 4 0 R >> >>'), stream(${JSON.stringify(xml)}, '/Type /EmbeddedFile')],
    }))`);
    expect(answer).toMatchObject({ source: 'xml', fields: { documentNumber: 'RE-7' } });
  });

  it('returns the text of its form fields', () => {
    const answer = run<Answer>(`read(pdfOf([stream(${JSON.stringify(page)})], {
      catalog: '/AcroForm << /Fields [3 0 R] >>',
      page: '/Annots [3 0 R]',
      objects: [Buffer.from('<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Paid by card) /Rect [300 640 400 655] >>')],
    }))`);
    expect(answer.texts?.[0]).toContain('Paid by card');
  });

  it('has the first and the last of many pages, and says that pages were left out', () => {
    const numbered =
      'Array.from({ length: 14 }, (_, index) => stream(`BT /F1 12 Tf 50 700 Td (Page ${index + 1}) Tj ET`))';
    const answer = run<Answer>(`read(pdfOf([stream(${JSON.stringify(page)}), ...${numbered}]))`);
    expect(answer).toMatchObject({ pages: 10, pageCount: 15 });
    expect(answer.texts?.at(-2)).toEqual(['Page 8']);
    expect(answer.texts?.at(-1)).toEqual(['Page 14']);
  });

  it('has the pages for which there was time', () => {
    const answer = run<Answer>(
      `read(pdfOf([1, 2, 3].map(() => stream(${JSON.stringify(page)}))), undefined, { ms: 0, cpuMs: 0, busyMs: 0 })`,
    );
    expect(answer).toMatchObject({ pages: 1, pageCount: 3, fields: { total: 120 } });
  });

  it('needs OCR if there is no text', () => {
    expect(run<Answer>(`read(pdfOf([stream('0 0 1 rg 0 0 100 100 re f')]))`).error).toBe(
      'DocumentNeedsRecognition',
    );
  });
});

describe('reading a PDF whose pages have hardly any text', () => {
  const line = (text: string, y: number) => `BT /F1 12 Tf 50 ${y} Td (${text}) Tj ET `;
  const letter = ['Dear Sir or Madam,', 'please find enclosed our invoice for the repairs of last month.'];
  const stamped = JSON.stringify(line('Received 12/03/2026', 780));
  const pdf = (texts: readonly string[]) =>
    `pdfOf([stream(${JSON.stringify(texts.map((text, at) => line(text, 700 - 20 * at)).join(''))}), stream(${stamped})])`;

  it('needs OCR of such a page, unless another one has the total', () => {
    expect(run<Answer>(`read(${pdf(letter)})`).error).toBe('DocumentNeedsRecognition');
    const answer = run<Answer>(`read(${pdf([...letter, 'Total to pay   GBP 120.00'])})`);
    expect(answer).toMatchObject({ pages: 2, fields: { total: 120 } });
  });
});

describe('reading HTML', () => {
  it('returns the text that a browser shows, with tables in columns', () => {
    const html = `<!doctype html><html><head><title>no</title><style>.gone{display:none}</style></head><body>
      <h1>Acme &amp; Sons</h1><p class=gone>no</p><script>no</script>
      <table><tr><th>Item<th>Price<tr><td>Tea<td>&pound;2.00</table>
      <div style="display:flex"><span>Total</span><b>&pound;2.00</b></div><p>Thank<br>you</body></html>`;
    const { texts, source } = readText(html);
    expect(source).toBe('text');
    expect(texts).toEqual([
      ['Acme & Sons', 'Item', 'Price', 'Tea', '£2.00', 'Total', '£2.00', 'Thank', 'you'],
    ]);
  });

  it('keeps the columns of preformatted text', () => {
    const { texts } = readText('<html><pre>Tea &amp; milk    2.00\n<b>Total</b>         2.00</pre>');
    expect(texts).toEqual([['Tea & milk', '2.00', 'Total', '2.00']]);
  });

  it('uses its declared encoding', () => {
    expect(readText('<p>Tea</p>', 'txt').texts).toEqual([['<p>Tea</p>']]);
    expect(readText('Tea\n2.00', 'html').texts).toEqual([['Tea 2.00']]);
  });
});

describe('hostile documents', () => {
  const READ = 'read';
  /** The outcome of each document by its bytes alone, and with its file name. */
  const OUTCOMES: Readonly<Record<string, readonly [asFound: string, asNamed: string]>> = {
    'truncated.pdf': ['damaged', 'damaged'],
    'encrypted.pdf': ['encrypted', 'encrypted'],
    'ten-thousand-pages.pdf': [READ, READ],
    'deflate-bomb.pdf': ['too-large', 'too-large'],
    'double-deflate-bomb.pdf': ['too-large', 'too-large'],
    'scripts-and-launch.pdf': [READ, READ],
    'huge-page.pdf': ['DocumentNeedsRecognition', 'DocumentNeedsRecognition'],
    'endless-form.pdf': ['DocumentNeedsRecognition', 'DocumentNeedsRecognition'],
    'entity-bomb.xml': ['damaged', 'damaged'],
    'external-entity.xml': ['damaged', 'damaged'],
    'external-dtd.xml': [READ, READ],
    'truncated.xml': ['damaged', 'damaged'],
    'nested.xml': ['damaged', 'damaged'],
    'wide.xml': ['too-large', 'too-large'],
    'brackets.xml': ['too-large', 'too-large'],
    'truncated.html': [READ, READ],
    'nested.html': [READ, READ],
    'nested-tables.html': [READ, READ],
    'closing-tags.html': [READ, READ],
    'many-attributes.html': [READ, READ],
    'many-styles.html': [READ, READ],
    'one-line.html': [READ, READ],
    'one-line.txt': [READ, READ],
    'one-word.txt': [READ, READ],
    'many-lines.txt': [READ, READ],
    'many-columns.txt': [READ, READ],
    'spaces.txt': [READ, READ],
    'tabs.txt': [READ, READ],
    'empty.pdf': ['damaged', 'damaged'],
    'empty.txt': ['damaged', 'damaged'],
    'zeros.txt': ['unsupported', 'unsupported'],
    'noise.pdf': ['unsupported', 'damaged'],
    'noise.html': ['unsupported', 'unsupported'],
    'text-as.pdf': [READ, 'damaged'],
    'html-as.png': [READ, 'damaged'],
    'html-as.xml': [READ, 'damaged'],
    'pdf-as.xml': ['DocumentNeedsRecognition', 'DocumentNeedsRecognition'],
    'jpeg-and.pdf': ['DocumentNeedsRecognition', 'DocumentNeedsRecognition'],
    'html-and.pdf': ['DocumentNeedsRecognition', 'DocumentNeedsRecognition'],
    'archive.pdf': ['unsupported', 'damaged'],
  };

  it('are answered soon with the expected outcome', () => {
    const answers = run<Record<string, { asFound: Answer; asNamed: Answer }>>(
      `readHostile(${JSON.stringify(Object.keys(OUTCOMES))})`,
    );
    const outcome = ({ error = READ }: Answer) => error;
    const found = Object.entries(answers).map(([name, { asFound, asNamed }]) => [
      name,
      [outcome(asFound), outcome(asNamed)],
    ]);
    expect(Object.fromEntries(found)).toEqual(OUTCOMES);
    const slow = Object.entries(answers).filter(
      ([, { asFound, asNamed }]) => asFound.ms + asNamed.ms > 8_000,
    );
    expect(slow).toEqual([]);
    expect(answers['ten-thousand-pages.pdf']?.asFound.pages).toBe(10);
  }, 60_000);
});

import fs from 'node:fs';
import path from 'node:path';
import { type Sample, sampleDocuments } from '../../testing/sample-documents';
import { differenceOf, greyPictureOf, hasPoppler, pictureOf, withPoppler } from '../../testing/pictures';
import { jpegLogo, ORIENTATIONS } from '../../testing/sample-logos';
import { aPrintableDocument } from '../../testing/a-printable-document';
import { documentPage } from '../../application/document-page';
import { TypstPdfRenderer } from './typst-pdf-renderer';

const APPROVED = path.join(__dirname, '../../testing/approved');
const DOCS = path.join(__dirname, '../../../../../docs/pictures');
/** Set by `npm run document-pictures`: writes the pictures instead of comparing them. */
const { APPROVE_PICTURES } = process.env;
/** On a slow machine, with other tests beside. */
const PATIENCE_MS = 120_000;

/** Each with the page that is compared. */
const COMPARED: Readonly<Record<string, number>> = {
  'tax-invoice-he': 1,
  'tax-invoice-en': 1,
  'receipt-he': 1,
  'cancelled-receipt-he': 1,
  'preview-en': 1,
  'vat-rates-he': 1,
  'largest-figures-en': 1,
  'long-words-he': 1,
  'many-text-lines-he': 1,
  'three-pages-he': 3,
  'turned-logo-en': 1,
  'vat-rates-both': 1,
};
/** In docs/documents.md. */
const SHOWN = [
  'tax-invoice-he',
  'tax-invoice-both',
  'receipt-en',
  'vat-rates-he',
  'cancelled-receipt-en',
  'wide-logo-en',
];

const LONGEST = 'forty-pages-en';

/** Some hundred pixels: a word that moved is more. */
const DIFFERENCE_MAX = 0.0004;

const described = hasPoppler('approved-pictures.spec.ts') ? describe : describe.skip;

described('the pages of the sample documents', () => {
  const renderer = new TypstPdfRenderer();
  const pdfs = new Map<string, Uint8Array>();
  let samples: readonly Sample[];

  beforeAll(async () => {
    samples = await sampleDocuments();
    const needed = [...Object.keys(COMPARED), ...SHOWN, LONGEST];
    for (const { name, document } of samples)
      if (APPROVE_PICTURES !== undefined || needed.includes(name))
        pdfs.set(name, (await renderer.render(document)).pdf);
    if (APPROVE_PICTURES !== undefined) await writePictures();
  }, PATIENCE_MS);

  const pdfOf = (name: string) => pdfs.get(name) ?? new Uint8Array();
  const textOf = (name: string) => withPoppler('pdftotext', pdfOf(name), ['PDF', '-']).toString();
  const infoOf = (name: string) => withPoppler('pdfinfo', pdfOf(name), ['PDF']).toString();

  async function writePictures(): Promise<void> {
    for (const [name, page] of Object.entries(COMPARED))
      fs.writeFileSync(path.join(APPROVED, `${name}.png`), await greyPictureOf(pdfOf(name), page));
    for (const name of SHOWN)
      fs.writeFileSync(path.join(DOCS, `document-${name}.png`), await pictureOf(pdfOf(name), 1, 96));
    if (APPROVE_PICTURES === 'yes') return;
    for (const [name, pdf] of pdfs) fs.writeFileSync(path.join(String(APPROVE_PICTURES), `${name}.pdf`), pdf);
  }

  it('are 59, with different names', () => {
    expect([samples.length, new Set(samples.map(({ name }) => name)).size]).toEqual([59, 59]);
  });

  it.each(Object.entries(COMPARED))('look as approved: %s, page %d', async (name, page) => {
    const approved = fs.readFileSync(path.join(APPROVED, `${name}.png`));
    expect(await differenceOf(await greyPictureOf(pdfOf(name), page), approved)).toBeLessThan(DIFFERENCE_MAX);
  });

  it('differ visibly if a single word does', async () => {
    const { document } = samples.find(({ name }) => name === 'tax-invoice-en')!;
    const { pdf: other } = await renderer.render({ ...document, externalId: 'PO-8873' });
    const approved = fs.readFileSync(path.join(APPROVED, 'tax-invoice-en.png'));
    expect(await differenceOf(await greyPictureOf(other, 1), approved)).toBeGreaterThan(0);
    const { pdf: moved } = await renderer.render({ ...document, dueDate: null });
    expect(await differenceOf(await greyPictureOf(moved, 1), approved)).toBeGreaterThan(DIFFERENCE_MAX);
  });

  it.each(SHOWN)('are shown in the documentation in less than 150 kB: %s', (name) => {
    expect(fs.statSync(path.join(DOCS, `document-${name}.png`)).size).toBeLessThan(150_000);
  });

  it('are one to forty', () => {
    const pagesOf = (name: string) => Number(/^Pages: +(\d+)$/m.exec(infoOf(name))?.[1]);
    expect([pagesOf('receipt-he'), pagesOf(LONGEST)]).toEqual([1, 40]);
  });

  it('name the company, its tax id and the document on each', () => {
    const only = ['-f', '40', '-l', '40', 'PDF', '-'];
    const last = withPoppler('pdftotext', pdfOf(LONGEST), only).toString();
    for (const text of ['Cedar Workshop', '514123456', 'Tax invoice no. 1042']) expect(last).toContain(text);
  });

  it('are A4 in tagged PDFs with a title', () => {
    const info = infoOf('tax-invoice-he');
    for (const line of [/^Title: +חשבונית מס מס׳ 1042$/m, /^Tagged: +yes$/m, /^Page size: .*\(A4\)$/m])
      expect(info).toMatch(line);
  });

  it('give Hebrew back in the order in which it is read', () => {
    // pdftotext moves spaces and brackets between figures and Hebrew.
    const words = (text: string) => text.match(/[\p{Script=Hebrew}״׳]+|[₪\d][\d.,/%-]*/gu)?.join(' ');
    const text = words(textOf('tax-invoice-he'));
    for (const line of [
      'חשבונית מס מס׳ 1042',
      'הנחה של 12.5% על הזמנה מעל ₪1,500 (עד 31/12/2026)',
      'נא לשלם עד 22/12/2026 בהעברה לחשבון 12-345678/90 (לאומי).',
      'סה״כ כולל מע״מ',
    ])
      expect(text).toContain(words(line));
  });

  it('have the e-invoice as an attachment', async () => {
    const eInvoice = Buffer.from('<Invoice>שלום</Invoice>');
    const { pdf } = await renderer.render(aPrintableDocument({ eInvoice }));
    const args = ['-save', '1', '-o', 'OUTPUT', 'PDF'];
    expect(withPoppler('pdfdetach', pdf, args).toString()).toBe(eInvoice.toString());
    expect(withPoppler('pdfdetach', pdfOf('receipt-he'), ['-list', 'PDF']).toString()).toContain(
      '0 embedded',
    );
  });

  it(
    'show a photograph upright, whichever way the camera was held',
    async () => {
      const pictures = await Promise.all(
        ORIENTATIONS.map(async (orientation) => {
          const issuer = { logo: await jpegLogo(orientation) };
          return greyPictureOf((await renderer.render(aPrintableDocument({ issuer }))).pdf, 1);
        }),
      );
      for (const picture of pictures.slice(1))
        expect(await differenceOf(picture, pictures[0]!)).toBeLessThan(DIFFERENCE_MAX);
    },
    PATIENCE_MS,
  );

  it('leave the orientation in the HTML page to the browser, which turns the image by itself', async () => {
    const { bytes } = await jpegLogo(6);
    const page = aPrintableDocument({ issuer: { logo: { bytes, mediaType: 'image/jpeg' } } });
    const { html } = documentPage(page);
    expect(html).toContain(Buffer.from(bytes).toString('base64'));
    expect(html).not.toContain('image-orientation');
  });
});

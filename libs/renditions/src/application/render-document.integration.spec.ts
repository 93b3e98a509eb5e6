import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { FaultPoints } from '@counterfoil/config';
import { Sql } from '@counterfoil/database';
import {
  DocumentsModule,
  type DocumentType,
  IssueDocument,
  ReadIssuedDocument,
} from '@counterfoil/documents';
import { CreateCompany, EditCompany, IdentityReader } from '@counterfoil/identity';
import { DeleteFile, FilesModule, ReadFile, StorageQuota, UploadFile } from '@counterfoil/files';
import type { Caller } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { CreateParty } from '@counterfoil/parties';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import sharp from 'sharp';
import { PostgresRenditions } from '../adapters/postgres/postgres-renditions';
import { XmlEInvoiceWriter } from '../adapters/xml/xml-e-invoice-writer';
import { PdfRenderer, type RenderedPages } from './ports/pdf-renderer';
import type { PrintableDocument } from './ports/printable-document';
import { RenderDocument } from './render-document';
import { ReadLogo } from './read-logo';
import { EditCompanyProfile } from './edit-company-profile';
import { RenditionsModule } from '../renditions.module';

/** Renders another file each time, as a later release might. */
class ChangingRenderer extends PdfRenderer {
  readonly rendered: PrintableDocument[] = [];
  isLogoLeftOut = false;

  override render(document: PrintableDocument): Promise<RenderedPages> {
    const pdf = Buffer.from(`file ${this.rendered.push(document)}`);
    return Promise.resolve({ pdf, isLogoLeftOut: this.isLogoLeftOut });
  }

  override stop(): Promise<void> {
    return Promise.resolve();
  }
}

const CHOICE = { format: 'pdf', stamp: 'original', language: 'en' } as const;

describe('rendering a document', () => {
  let context: TestContext;
  let renditions: PostgresRenditions;
  let renderer: ChangingRenderer;
  let render: RenderDocument;
  let caller: Caller;
  let documentId: number;
  let issue: (type: DocumentType) => Promise<number>;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule, FilesModule, RenditionsModule]);
    renditions = new PostgresRenditions(context.get(Sql));
  });
  afterAll(() => context.close());

  beforeEach(async () => {
    renderer = new ChangingRenderer();
    const writer = new XmlEInvoiceWriter();
    const documents = context.get(ReadIssuedDocument);
    const logos = context.get(ReadLogo);
    const faults = context.get(FaultPoints);
    render = new RenderDocument(documents, renditions, renderer, writer, logos, faults);
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    caller = { companyId, userId, apiKeyId: 0, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    const { id: entityId } = await context
      .get(CreateParty)
      .execute(caller, 'client', { details, contact: null });
    const items = [
      { description: 'Consulting', quantity: 1, unitPrice: 100 },
      { description: 'Book', quantity: 2, unitPrice: 25, vatRate: 0 },
    ];
    issue = async (type) => {
      const issued = { type, entityId, items, payments: [] };
      return (await context.get(IssueDocument).execute(caller, issued)).document.id;
    };
    await context.get(EditCompany).execute(caller, { taxId: '514000009' });
    documentId = await issue('TAX_INVOICE');
  });

  const execute = (companyId = caller.companyId) => render.execute({ companyId, documentId, ...CHOICE });
  const stored = async () => {
    const key = { companyId: caller.companyId, documentId, variant: 'original.en' };
    return (await renditions.content(key)).toString();
  };

  it('passes the content of the document on', async () => {
    await execute();
    expect(renderer.rendered).toMatchObject([
      {
        ...{ type: 'TAX_INVOICE', language: 'en', stamp: 'original', cancellation: null, rounding: 0 },
        issuer: { name: 'Acme', addressLines: [], bankAccounts: [] },
        recipient: { name: 'Client', taxId: '514000000' },
        vatByRate: [
          { rate: 18, base: 100, tax: 18 },
          { rate: 0, base: 50, tax: 0 },
        ],
        ...{ amount: 150, tax: 18, totalWithTax: 168 },
      },
    ]);
  });

  it('keeps the first file, also if another one is made later or at the same time', async () => {
    await Promise.all([execute(), execute(), execute()]);
    const first = await stored();
    expect(first).toMatch(/^file [123]$/);
    await execute();
    const key = { companyId: caller.companyId, documentId, variant: 'original.en' };
    await renditions.save(key, { content: Buffer.from('later'), sha256: '00' });
    expect(await stored()).toBe(first);
    expect(renderer.rendered.length).toBeLessThanOrEqual(3);
  });

  it('makes the file of the format, once', async () => {
    const key = { companyId: caller.companyId, documentId };
    for (const format of ['ubl', 'cii', 'ubl'] as const)
      await render.execute({ ...key, format, stamp: 'original', language: null });
    expect((await renditions.content({ ...key, variant: 'ubl' })).toString()).toContain('<Invoice ');
    expect((await renditions.content({ ...key, variant: 'cii' })).toString()).toContain('<rsm:CrossInd');
    expect(renderer.rendered).toEqual([]);
  });

  it('attaches the UBL to the PDF', async () => {
    const key = { companyId: caller.companyId, documentId };
    await execute();
    await render.execute({ ...key, format: 'ubl', stamp: 'original', language: null });
    expect(renderer.rendered[0]?.eInvoice).toEqual(await renditions.content({ ...key, variant: 'ubl' }));
  });

  it('makes a PDF without attachment, and no e-invoice, of a document that has none', async () => {
    documentId = await issue('QUOTE');
    await execute();
    const key = { companyId: caller.companyId, documentId };
    await render.execute({ ...key, format: 'cii', stamp: 'original', language: null });
    expect(renderer.rendered.map(({ eInvoice }) => eInvoice)).toEqual([null]);
    expect(await renditions.find({ ...key, variant: 'cii' })).toBeNull();
  });

  it('makes an HTML page beside the PDF, without the renderer of PDFs', async () => {
    await render.execute({ companyId: caller.companyId, documentId, ...CHOICE, format: 'html' });
    const key = { companyId: caller.companyId, documentId, variant: 'html.original.en' };
    const html = (await renditions.content(key)).toString();
    expect(html).toMatch(/^<!DOCTYPE html>/);
    expect(html).toContain('Consulting');
    expect(renderer.rendered).toEqual([]);
    await execute();
    expect(await stored()).toBe('file 1');
  });

  it('makes a PDF for a job of a release that knew no other format', async () => {
    const { format: _, ...former } = CHOICE;
    await render.execute({ companyId: caller.companyId, documentId, ...former });
    expect(await stored()).toBe('file 1');
  });

  it('makes nothing of a document of another company', async () => {
    await execute(caller.companyId + 1_000);
    expect(renderer.rendered).toEqual([]);
  });

  describe('of a company with a logo', () => {
    const image = (background: string) =>
      sharp({ create: { width: 40, height: 20, channels: 3, background } })
        .png()
        .toBuffer();
    const upload = async (content: Buffer) => {
      const room = await context.get(StorageQuota).assertRoom(caller.companyId);
      const sent = { fileName: 'logo.png', content: Readable.from([content]) };
      return (await context.get(UploadFile).execute(caller, sent, room)).id;
    };
    const edit = (logoFileId: number | null) =>
      context.get(EditCompanyProfile).execute(caller, { logoFileId });
    const remove = (id: number) => context.get(DeleteFile).execute(caller, id);
    const rendered = async (type: DocumentType, of?: number) => {
      const id = of ?? (await issue(type));
      await render.execute({ companyId: caller.companyId, documentId: id, ...CHOICE });
      return renderer.rendered.at(-1)?.issuer.logo ?? null;
    };

    it('shows the logo of the day of the issue, whose file stays', async () => {
      const [red, blue] = [await image('red'), await image('blue')];
      const first = await upload(red);
      await edit(first);
      const inRed = await issue('QUOTE');
      await edit(await upload(blue));
      expect(await rendered('QUOTE')).toEqual({ bytes: blue, mediaType: 'image/png' });
      expect(await rendered('QUOTE', inRed)).toEqual({ bytes: red, mediaType: 'image/png' });
      await edit(null);
      expect(await rendered('QUOTE')).toBeNull();
      await expect(remove(first)).rejects.toMatchObject({
        code: 'INVALID_STATE',
        message: expect.stringContaining('the logo of issued documents'),
      });
    });

    it('logs that a logo is left out because it cannot be decoded', async () => {
      const file = await upload(await image('red'));
      await edit(file);
      const warn = jest.spyOn(context.get(Log), 'warn');
      try {
        await rendered('QUOTE');
        expect(warn).not.toHaveBeenCalled();
        renderer.isLogoLeftOut = true;
        await rendered('QUOTE');
        expect(warn).toHaveBeenCalledWith(
          { companyId: caller.companyId, fileId: file },
          'a logo cannot be shown, and is left out of documents',
        );
      } finally {
        warn.mockRestore();
      }
    });

    it('reads the file of a logo once for all its views', async () => {
      const file = await upload(await image('green'));
      await edit(file);
      const read = jest.spyOn(context.get(ReadFile), 'ofCompany');
      try {
        const logos = context.get(ReadLogo);
        const views = await Promise.all(
          Array.from({ length: 20 }, () => logos.execute(caller.companyId, file)),
        );
        views.push(await logos.execute(caller.companyId, file));
        expect(new Set(views).size).toBe(1);
        expect(read).toHaveBeenCalledTimes(1);
        expect(await logos.execute(caller.companyId + 1, file)).toBeNull();
      } finally {
        read.mockRestore();
      }
    });

    it('keeps the file while it is the logo, and gives it back afterwards', async () => {
      const file = await upload(await image('red'));
      await edit(file);
      await expect(remove(file)).rejects.toMatchObject({
        code: 'INVALID_STATE',
        message: expect.stringContaining('the logo of the company'),
      });
      await edit(null);
      await remove(file);
      await expect(edit(file)).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
    });

    it('shows no logo on a document that was issued while its file was deleted', async () => {
      const file = await upload(await image('red'));
      await edit(file);
      const stale = await context.get(IdentityReader).company(caller.companyId);
      await edit(null);
      await remove(file);
      jest.spyOn(context.get(IdentityReader), 'company').mockResolvedValueOnce(stale);
      expect(await rendered('QUOTE')).toBeNull();
    });

    it('takes only images that documents can show', async () => {
      const file = await upload(Buffer.from('%PDF-1.7'));
      await expect(edit(file)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ field: 'logoFileId', problem: expect.stringContaining('PNG or JPEG') }],
      });
      const noise = await sharp(randomBytes(3 * 500_000), { raw: { width: 1_000, height: 500, channels: 3 } })
        .png()
        .toBuffer();
      const large = await upload(noise);
      await expect(edit(large)).rejects.toMatchObject({
        details: [{ problem: 'must have at most 512 KiB' }],
      });
    });
  });
});

import { Sql } from '@counterfoil/database';
import {
  DocumentsModule,
  type DocumentType,
  IssueDocument,
  ReadIssuedDocument,
} from '@counterfoil/documents';
import { CreateCompany, EditCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { PostgresRenditions } from '../adapters/postgres/postgres-renditions';
import { XmlEInvoiceWriter } from '../adapters/xml/xml-e-invoice-writer';
import { PdfRenderer } from './ports/pdf-renderer';
import type { PrintableDocument } from './ports/printable-document';
import { RenderDocument } from './render-document';

/** Renders another file each time, as a later release might. */
class ChangingRenderer extends PdfRenderer {
  readonly rendered: PrintableDocument[] = [];

  override render(document: PrintableDocument): Promise<Uint8Array> {
    return Promise.resolve(Buffer.from(`file ${this.rendered.push(document)}`));
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
    context = await startTestContext([DocumentsModule]);
    renditions = new PostgresRenditions(context.get(Sql));
  });
  afterAll(() => context.close());

  beforeEach(async () => {
    renderer = new ChangingRenderer();
    const writer = new XmlEInvoiceWriter();
    render = new RenderDocument(context.get(ReadIssuedDocument), renditions, renderer, writer);
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
});

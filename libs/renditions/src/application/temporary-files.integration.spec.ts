import { createHash } from 'node:crypto';
import { CreateCompany, EditCompany } from '@counterfoil/identity';
import { type Caller, Clock, type DocumentLanguage, plainDateOf } from '@counterfoil/kernel';
import { CreateParty, EditParty } from '@counterfoil/parties';
import { DocumentsModule, IssueDocument, type NewDocument } from '@counterfoil/documents';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { TypstPdfRenderer } from '../adapters/typst/typst-pdf-renderer';
import { RenditionsModule } from '../renditions.module';
import { readPdfs } from '../testing/read-pdfs';
import { PdfRenderer, type PrintablePages, type RenderedPages } from './ports/pdf-renderer';
import { TemporaryFiles } from './ports/temporary-files';
import { ReadLogo } from './read-logo';
import { ReadPreviewContent } from './read-preview-content';
import { ReadStatementContent } from './read-statement-content';
import { RenderPreview } from './render-preview';
import { RenderTemporaryFile } from './render-temporary-file';
import { temporaryFileKey } from './temporary-content';

const sha256 = createHash('sha256').update('x').digest('hex');
const FILE = { content: Buffer.from('x'), sha256 };

/** Renders in this thread. */
class CountingRenderer extends PdfRenderer {
  private readonly typst = new TypstPdfRenderer();
  count = 0;

  override render(pages: PrintablePages): Promise<RenderedPages> {
    this.count += 1;
    return this.typst.render(pages);
  }

  override stop(): Promise<void> {
    return Promise.resolve();
  }
}

describe('temporary files', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule, RenditionsModule]);
  });
  afterAll(() => context.close());

  async function seller() {
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    const caller: Caller = { companyId, userId, apiKeyId: 1, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    const client = await context.get(CreateParty).execute(caller, 'client', { details, contact: null });
    return { companyId, caller, client };
  }

  it('are the newest of the company, so that no caller fills the database', async () => {
    const files = context.get(TemporaryFiles);
    const [{ companyId }, other] = [await seller(), await seller()];
    await files.save({ companyId: other.companyId, variant: 'old' }, FILE);
    for (let count = 0; count < 35; count++) await files.save({ companyId, variant: `v${count}` }, FILE);
    const kept = await context.database.query<{ variant: string }>(
      'select variant from statement_files where company_id = $1 order by created_at',
      [companyId],
    );
    expect(kept.map(({ variant }) => variant)).toEqual(Array.from({ length: 32 }, (_, at) => `v${at + 3}`));
    expect(await files.content({ companyId, variant: 'v2' })).toBeNull();
    expect(await files.find({ companyId: other.companyId, variant: 'old' })).toEqual({ sha256, size: 1 });
  });

  it('of statements are in the language of the call, else of the client, else of the company, else of the names', async () => {
    const { companyId, caller, client } = await seller();
    const day = plainDateOf(new Date());
    const item = { description: 'Consulting', quantity: 1, unitPrice: 100, vatRate: 18 };
    const draft = { type: 'TAX_INVOICE' as const, entityId: client.id, items: [item], payments: [] };
    await context.get(IssueDocument).execute(caller, { ...draft, currency: 'ILS' });
    const languageOf = async (language: DocumentLanguage | null = null) => {
      const choice = { entityId: client.id, currency: 'ILS', from: day, to: day, language };
      return (await context.get(ReadStatementContent).execute(companyId, choice)).language;
    };
    expect(await languageOf()).toBe('en');
    await context.database.query(`update companies set document_language = 'he' where id = $1`, [companyId]);
    expect(await languageOf()).toBe('he');
    const party = { visibleId: client.visibleId, role: 'client' } as const;
    await context.get(EditParty).execute(caller, party, { documentLanguage: 'en' });
    expect(await languageOf()).toBe('en');
    expect(await languageOf('he')).toBe('he');
  });

  describe('of previews', () => {
    const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100, vatRate: 18 };
    const DAY = '2026-03-01';
    const renderer = new CountingRenderer();
    let renderFile: RenderTemporaryFile;
    let renderPreview: RenderPreview;
    let companyId: number;
    let caller: Caller;
    let draft: NewDocument;

    beforeEach(async () => {
      const { client, ...acme } = await seller();
      ({ companyId, caller } = acme);
      draft = {
        ...{ type: 'TAX_INVOICE_RECEIPT', entityId: client.id, issueDate: DAY, items: [ITEM] },
        payments: [{ method: 'CASH', amount: 118, date: DAY }],
      };
      const files = context.get(TemporaryFiles);
      renderFile = new RenderTemporaryFile(files, renderer, context.get(ReadLogo), context.get(Clock));
      renderPreview = new RenderPreview(context.get(ReadPreviewContent), renderFile);
    });

    const keyOf = async (of: NewDocument = draft) =>
      temporaryFileKey(companyId, await context.get(ReadPreviewContent).execute(companyId, of));
    const render = async (of: NewDocument = draft): Promise<Buffer> => {
      await renderPreview.execute({ companyId, draft: of });
      const content = await context.get(TemporaryFiles).content(await keyOf(of));
      if (!content) throw new Error('there is no file');
      return content;
    };
    const forget = () =>
      context.database.query('delete from statement_files where company_id = $1', [companyId]);

    it('are made once, with the same bytes each time', async () => {
      const before = renderer.count;
      const first = await render();
      expect((await render()).equals(first)).toBe(true);
      expect(renderer.count - before).toBe(1);
      await forget();
      expect((await render()).equals(first)).toBe(true);
      expect(renderer.count - before).toBe(2);
    });

    it('have the same key whatever the order of the fields in a job, and without those left out', async () => {
      const job = JSON.stringify(draft);
      const reversed = JSON.parse(job, (_, value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      ) as NewDocument;
      expect(JSON.stringify(reversed)).not.toBe(job);
      const key = await keyOf({ ...draft, notes: undefined });
      expect(await keyOf(reversed)).toEqual(key);
      const [stored] = await context.database.query<{ draft: NewDocument }>('select $1::jsonb as draft', [
        job,
      ]);
      expect(await keyOf(stored!.draft)).toEqual(key);
    });

    it('are others if anything that they show changes', async () => {
      const keys = [
        await keyOf(),
        await keyOf({ ...draft, notes: 'Thank you' }),
        await keyOf({ ...draft, issueDate: '2026-03-02' }),
      ];
      await context.get(EditCompany).execute(caller, { name: 'Renamed' });
      keys.push(await keyOf());
      expect(new Set(keys.map(({ variant }) => variant)).size).toBe(4);
    });

    it('say on each page that they are previews, without number, e-invoice and time of making', async () => {
      await context.get(EditCompany).execute(caller, { taxId: '514000009' });
      const items = Array.from({ length: 80 }, () => ITEM);
      const payments = [{ method: 'CASH' as const, amount: 9_440 }];
      const pdf = await render({ ...draft, items, payments });
      const [read] = readPdfs([pdf]);
      expect(read).toMatchObject({ title: 'Tax invoice and receipt', attachments: [] });
      expect(read!.createdAt).toMatch(/^D:20260301000000/);
      expect(read!.pages.length).toBeGreaterThan(1);
      expect(read!.pages[0]!.text).toContain('Preview: not issued, no number');
      for (const { text } of read!.pages) expect(text).toContain('PREVIEW');
    });

    it('are in the language of the client, else of the company, else of the texts', async () => {
      const languageOf = async (of: NewDocument = draft) =>
        (await context.get(ReadPreviewContent).execute(companyId, of)).language;
      expect(await languageOf()).toBe('en');
      expect(await languageOf({ ...draft, notes: 'תודה' })).toBe('he');
      await context.database.query(`update companies set document_language = 'he' where id = $1`, [
        companyId,
      ]);
      expect(await languageOf()).toBe('he');
      await context.database.query(`update entities set document_language = 'en' where id = $1`, [
        draft.entityId,
      ]);
      expect(await languageOf({ ...draft, notes: 'תודה' })).toBe('en');
    });

    it('are removed after an hour', async () => {
      const made = await render();
      await renderFile.purge(new AbortController().signal);
      expect((await render()).equals(made)).toBe(true);
      await context.database.query(
        `update statement_files set created_at = now() - interval '61 minutes' where company_id = $1`,
        [companyId],
      );
      await renderFile.purge(new AbortController().signal);
      expect(await context.get(TemporaryFiles).find(await keyOf())).toBeNull();
    });

    it('are not made of a draft that is refused', async () => {
      const { client } = await seller();
      const refused = render({ ...draft, entityId: client.id });
      await expect(refused).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
    });
  });
});

import { FaultPoints } from '@counterfoil/config';
import { Sql } from '@counterfoil/database';
import { DocumentsModule, IssueDocument, ReadIssuedDocument } from '@counterfoil/documents';
import { FilesModule } from '@counterfoil/files';
import { CreateCompany, EditCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { Figures, median, percentile, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { PostgresRenditions } from '../adapters/postgres/postgres-renditions';
import { TypstPdfRenderer } from '../adapters/typst/typst-pdf-renderer';
import { XmlEInvoiceWriter } from '../adapters/xml/xml-e-invoice-writer';
import { PdfRenderer, type PrintablePages } from '../application/ports/pdf-renderer';
import { ReadLogo } from '../application/read-logo';
import { RenderDocument } from '../application/render-document';
import { RenditionsModule } from '../renditions.module';

const DOCUMENTS = 1_000;
const MIB = 1024 * 1024;

/** Renders in this thread, so that the memory of all that it needs is that of this process. */
class RendererHere extends PdfRenderer {
  private readonly renderer = new TypstPdfRenderer();

  override render(pages: PrintablePages) {
    return this.renderer.render(pages);
  }

  override stop(): Promise<void> {
    return Promise.resolve();
  }
}

/** Different texts in both languages, and one to eight items, so that each has one page. */
function itemsOf(number: number) {
  return Array.from({ length: 1 + (number % 8) }, (_, at) => ({
    description:
      number % 2 === 0 ? `Consulting ${number}, visit ${at + 1}` : `ייעוץ ${number}, ביקור ${at + 1}`,
    quantity: at + 1,
    unitPrice: 120.5,
  }));
}

describe('PDFs of stored documents', () => {
  let context: TestContext;
  let caller: Caller;
  const ids: number[] = [];

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule, FilesModule, RenditionsModule]);
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    caller = { companyId, userId, apiKeyId: 1, role: 'owner' };
    await context.get(EditCompany).execute(caller, { taxId: '514000009' });
    const details = { name: 'Client', taxId: '514000017', type: 'COMPANY' } as const;
    const client = await context.get(CreateParty).execute(caller, 'client', { details, contact: null });
    for (let number = 0; number <= DOCUMENTS; number++) {
      const draft = {
        type: 'TAX_INVOICE',
        entityId: client.id,
        items: itemsOf(number),
        payments: [],
      } as const;
      ids.push((await context.get(IssueDocument).execute(caller, draft)).document.id);
    }
  }, 300_000);
  afterAll(() => context.close());

  it('take little time and memory', async () => {
    const renditions = new PostgresRenditions(context.get(Sql));
    const documents = context.get(ReadIssuedDocument);
    const [logos, faults] = [context.get(ReadLogo), context.get(FaultPoints)];
    const writer = new XmlEInvoiceWriter();
    const render = new RenderDocument(documents, renditions, new RendererHere(), writer, logos, faults);
    const make = (documentId: number) =>
      render.execute({ companyId: caller.companyId, documentId, stamp: 'original', language: null });
    await make(ids[0]!);
    const before = process.memoryUsage().rss;
    const took: number[] = [];
    let highest = before;
    for (const id of ids.slice(1)) {
      const started = performance.now();
      await make(id);
      took.push(performance.now() - started);
      highest = Math.max(highest, process.memoryUsage().rss);
    }
    const figures = new Figures();
    figures.heading(
      `${DOCUMENTS} different documents of a page, from the record to the stored PDF with its e-invoice`,
    );
    figures.add('a document, p50', median(took), ' ms');
    figures.add('a document, p95', percentile(took, 0.95), ' ms', { atMost: 50 });
    // Of compiler and fonts, the first document needs most. Only the rise after it has a bound.
    figures.add('rise of the memory (RSS) after the first document', (highest - before) / MIB, ' MiB', {
      atMost: 256,
    });
    figures.add('memory (RSS) after the first document', before / MIB, ' MiB');
    figures.add('highest memory (RSS) of the process', process.resourceUsage().maxRSS / 1024, ' MiB');
    expect(figures.broken).toEqual([]);
  });
});

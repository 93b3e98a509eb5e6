import { createHash } from 'node:crypto';
import { CreateCompany } from '@counterfoil/identity';
import { type Caller, type DocumentLanguage, plainDateOf } from '@counterfoil/kernel';
import { CreateParty, EditParty } from '@counterfoil/parties';
import { DocumentsModule, IssueDocument } from '@counterfoil/documents';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { RenditionsModule } from '../renditions.module';
import { StatementFiles } from './ports/statement-files';
import { ReadStatementContent } from './read-statement-content';

const sha256 = createHash('sha256').update('x').digest('hex');
const FILE = { content: Buffer.from('x'), sha256 };

describe('the files of statements', () => {
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
    const files = context.get(StatementFiles);
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

  it('are in the language of the call, else of the client, else of the company, else of the names', async () => {
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
});

import { DocumentsModule, IssueDocument, ReadIssuedDocument } from '@counterfoil/documents';
import { CreateCompany } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import { openTestContext, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { SharingModule } from '../sharing.module';
import { CreateShare } from './create-share';
import { type OpenedShare, OpenShare } from './open-share';
import { RecordView } from './record-view';
import { ShareLinks } from './share-links';

describe('the views of a link', () => {
  let context: TestContext;
  let opened: OpenedShare;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule, SharingModule]);
  });
  afterAll(() => context.close());

  beforeEach(async () => {
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    const caller: Caller = { companyId, userId, apiKeyId: 7, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    const { id: entityId } = await context
      .get(CreateParty)
      .execute(caller, 'client', { details, contact: null });
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const issued = { type: 'QUOTE', entityId, items, payments: [] } as const;
    const { document } = await context.get(IssueDocument).execute(caller, issued);
    const lifetime = { expiresInDays: 1, expiresAt: null };
    const page = { stamp: 'original', language: null, paymentPageId: null } as const;
    const share = await context
      .get(CreateShare)
      .execute(caller, { document: { id: document.id }, ...page, ...lifetime });
    const url = context.get(ShareLinks).urlOf({ companyId, publicId: share.publicId });
    opened = await context.get(OpenShare).execute(url.split('/d/')[1] ?? '');
  });

  const stored = async () => {
    const sql =
      'select views::int, reported_views::int as reported from document_share_views where share_id = $1';
    const [row] = await context.database.query<{ views: number; reported: number }>(sql, [opened.share.id]);
    return row;
  };
  const reports = () =>
    context.database.query(`select from outbox_events where type = 'document.viewed' and company_id = $1`, [
      opened.share.companyId,
    ]);
  const later = (minutes: number) =>
    context.database.query(
      "update document_share_views set reported_at = now() - $2 * interval '1 minute' where share_id = $1",
      [opened.share.id, minutes],
    );

  it('are all counted, and reported once, by several processes', async () => {
    const other = await openTestContext(context.config, [DocumentsModule, SharingModule]);
    try {
      const both = [context.get(RecordView), other.get(RecordView)];
      await Promise.all(Array.from({ length: 50 }, (_, at) => both[at % 2]!.execute(opened)));
      expect((await stored())?.views).toBe(50);
      expect(await reports()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('of one process at once take two transactions', async () => {
    const record = context.get(RecordView);
    const sql = 'select xmin::text from document_share_views where share_id = $1';
    const versions = new Set<unknown>();
    const note = async () => versions.add((await context.database.query(sql, [opened.share.id]))[0]);
    await Promise.all(Array.from({ length: 200 }, () => record.execute(opened).then(note)));
    expect((await stored())?.views).toBe(200);
    expect(new Set([...versions].map((row) => JSON.stringify(row))).size).toBeLessThanOrEqual(2);
  });

  it('are reported again after an hour, and not before', async () => {
    const record = context.get(RecordView);
    await record.execute(opened);
    await later(59);
    await record.execute(opened);
    expect(await reports()).toHaveLength(1);
    await later(60);
    await record.execute(opened);
    expect([await stored(), (await reports()).length]).toEqual([{ views: 3, reported: 3 }, 2]);
  });

  it('are not counted without their report, and not reported without being counted', async () => {
    await context.database.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`);
    await context.database.query(
      'create trigger refuse before insert on outbox_events for each row execute function refuse()',
    );
    await expect(context.get(RecordView).execute(opened)).rejects.toThrow('refused');
    expect(await stored()).toBeUndefined();
    await context.database.query('drop trigger refuse on outbox_events');
    await context.get(RecordView).execute(opened);
    expect([await stored(), (await reports()).length]).toEqual([{ views: 1, reported: 1 }, 1]);
  });

  it('belong to a document that is read as it was issued', async () => {
    const { companyId, documentId } = opened.share;
    const document = await context.get(ReadIssuedDocument).execute(companyId, { id: documentId });
    expect(opened.document).toEqual(document);
  });
});

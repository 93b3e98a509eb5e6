import { DocumentsModule, IssueDocument } from '@counterfoil/documents';
import { CreateCompany, SetCompanyLimits } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { CreateParty } from '@counterfoil/parties';
import {
  type OpenContext,
  openTestContext,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import { QUEUED_MAX } from '../domain/mail';
import { MailModule } from '../mail.module';
import { SendDocument } from './send-document';

const MODULES = [DocumentsModule, MailModule];
const CONTENT = { subject: null, message: null, language: null, stamp: 'original', cc: [] } as const;
const QUOTA = 5;

/** Contract §8.18. */
describe('the mails of a company in 24 hours', () => {
  let context: TestContext;
  let other: OpenContext;
  let caller: Caller;
  let document: { readonly id: number };

  beforeAll(async () => {
    context = await startTestContext(MODULES, undefined, { MAIL_QUOTA_DAILY: String(QUOTA) });
    other = await openTestContext(context.config, MODULES);
  });
  afterAll(async () => {
    await other.close();
    await context.close();
  });

  beforeEach(async () => {
    const { companyId, userId } = await context.get(CreateCompany).execute('Acme', 'Owner');
    caller = { companyId, userId, apiKeyId: 7, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    const { id: entityId } = await context
      .get(CreateParty)
      .execute(caller, 'client', { details, contact: null });
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    const issued = { type: 'QUOTE', entityId, items, payments: [] } as const;
    ({ document } = await context.get(IssueDocument).execute(caller, issued));
  });

  const send = (recipients = 1, process: Pick<OpenContext, 'get'> = context) => {
    const to = Array.from({ length: recipients }, (_, at) => `a${at}@example.com`);
    return process.get(SendDocument).execute(caller, { id: document.id }, { ...CONTENT, to });
  };
  const stored = async () => {
    const sql = 'select count(*)::int as count from document_mails where company_id = $1';
    const [row] = await context.database.query<{ count: number }>(sql, [caller.companyId]);
    return row?.count;
  };
  const limit = (dailyMails: number | null | 'default') =>
    context.get(SetCompanyLimits).execute(caller.companyId, { dailyMails });
  const REFUSED = { code: 'LIMIT_REACHED', message: expect.stringContaining('mails in 24 hours') };

  it('are limited for all recipients of a call together, and none of a refused call is queued', async () => {
    await send(3);
    await expect(send(3)).rejects.toMatchObject(REFUSED);
    expect(await stored()).toBe(3);
    await send(2);
    await expect(send(1)).rejects.toMatchObject(REFUSED);
    await expect(send(QUOTA + 1)).rejects.toMatchObject(REFUSED);
    expect(await stored()).toBe(QUOTA);
  });

  it('are limited for calls at once in two processes', async () => {
    const calls = Array.from({ length: 20 }, (_, at) => send(1, at % 2 === 0 ? context : other));
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(QUOTA);
    expect(await stored()).toBe(QUOTA);
  });

  it('are limited to those that may be queued, for calls at once in two processes, without a limit of a day', async () => {
    await limit(null);
    await send();
    await context.database.query(
      `insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, stamp,
         sent_by, created_at, next_attempt_at)
       select company_id, document_id, send_id, recipient || n, kind, to_addresses, cc_addresses, stamp, sent_by,
              created_at, next_attempt_at
         from document_mails cross join generate_series(1, $2) n where company_id = $1`,
      [caller.companyId, QUEUED_MAX - 6],
    );
    const calls = Array.from({ length: 20 }, (_, at) => send(1, at % 2 === 0 ? context : other));
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await stored()).toBe(QUEUED_MAX);
  });

  it('count no longer after 24 hours, also if they were refused by the server', async () => {
    await send(QUOTA);
    const age = (hours: number) =>
      context.database.query(
        `update document_mails set created_at = now() - $2 * interval '1 hour', status = 'failed', failure = 'refused',
           finished_at = now(), next_attempt_at = null where company_id = $1`,
        [caller.companyId, hours],
      );
    await age(23.9);
    await expect(send()).rejects.toMatchObject(REFUSED);
    await age(24.1);
    await send(QUOTA);
  });

  it('have another limit for one company, or none', async () => {
    await limit(1);
    await expect(send(2)).rejects.toMatchObject(REFUSED);
    await limit(0);
    await expect(send()).rejects.toMatchObject(REFUSED);
    await limit(null);
    await send(QUOTA + 1);
    await limit('default');
    await expect(send()).rejects.toMatchObject(REFUSED);
  });

  it('are counted by an index', async () => {
    const rows = await context.database.query<Readonly<Record<string, string>>>(
      `explain select from document_mails where company_id = 1 and created_at > now() - interval '24 hours' limit 5`,
    );
    expect(JSON.stringify(rows)).toMatch(/document_mails_(purpose_)?newest/);
  });
});

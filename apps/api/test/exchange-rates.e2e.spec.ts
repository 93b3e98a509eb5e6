import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  DEMO_KEY,
  queueStores,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { type Call, DescribedApi } from './described-api';
import { expectError } from './error-body';
import { type Answer, closeConnections } from './http-exchange';

interface Saved {
  readonly saved: number;
  readonly new: number;
  readonly revised: number;
}

interface Rate {
  readonly id: number;
  readonly currency: string;
  readonly date: string;
  readonly rate: number;
  readonly unit: number;
  readonly source: string;
}

const invalid = { status: 400, code: 'VALIDATION_FAILED' };

let service: ServiceProcesses;
let api: DescribedApi;
let folder: string;

beforeAll(async () => {
  service = await startProcesses(queueStores()[0]!);
  api = await DescribedApi.of(service);
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rates-'));
});
afterAll(async () => {
  closeConnections();
  await service.stop();
  fs.rmSync(folder, { recursive: true });
});

const newCompany = async () => (await service.createCompany('Another company')).ownerKey;
const newKey = async (role: string, key: string) =>
  (await api.ok<{ key: string }>('POST /api-keys', { body: { role, userName: 'Noa' }, key })).key;
const save = (key: string, ...rates: object[]) =>
  api.ok<Saved>('PUT /exchange-rates', { body: { rates }, key });
const refused = (key: string, ...rates: object[]): Promise<Answer> =>
  api.send('PUT /exchange-rates', { body: { rates }, key });
const list = async (key: string, query = '') => {
  const call: Call = { at: `/exchange-rates${query}`, key };
  const answer = await api.ok<{ data: Rate[]; pagination: { total: number } }>('GET /exchange-rates', call);
  const { data, pagination } = answer;
  return { rows: data.map(inWords), data, pagination };
};
const inWords = ({ currency, date, rate, unit, source }: Rate) =>
  `${date} ${currency} ${rate} /${unit} ${source}`;

const usd = (date: string, rate: number, unit?: number) => ({ currency: 'USD', date, rate, unit });

/** Writes a file for `rates:import`, and returns its path. */
function givenFile(...lines: string[]): string {
  const file = path.join(folder, `${fs.readdirSync(folder).length}.csv`);
  fs.writeFileSync(file, [...lines, ''].join('\n'));
  return file;
}

const importRates = (...lines: string[]) =>
  service.admin<{ imported: number; new: number; revised: number }>(
    'rates:import',
    '--file',
    givenFile('currency,date,rate,unit', ...lines),
  );

/**
 * Runs an import in a separate process, optionally with a fault point that ends it. Returns its exit and its
 * standard error.
 */
async function importBy(
  file: string,
  point = '',
): Promise<{ readonly ended: unknown; readonly complaint: string }> {
  const program = path.resolve(__dirname, '../../../dist/apps/admin/src/main.js');
  const env = {
    ...process.env,
    DATABASE_URL: service.database.url,
    SECRETS_KEY: 'test-secrets-key-of-32-characters',
    FAULT_POINT: point,
  };
  const child = spawn(process.execPath, [program, 'rates:import', '--file', file], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { ended: signal ?? code, complaint };
}

describe("a company's own rates", () => {
  it('are saved, revised and read back', async () => {
    const key = await newCompany();
    const yen = { currency: 'JPY', date: '2026-11-20', rate: 1.971, unit: 100 };
    expect(await save(key, usd('2026-11-20', 3.0725), yen)).toEqual({
      success: true,
      saved: 2,
      new: 2,
      revised: 0,
    });
    expect(await save(key, usd('2026-11-20', 3.08), usd('2026-11-19', 3.1), yen)).toEqual({
      success: true,
      saved: 3,
      new: 1,
      revised: 1,
    });
    const { data, rows, pagination } = await list(key);
    expect(rows).toEqual([
      '2026-11-20 JPY 1.971 /100 company',
      '2026-11-20 USD 3.08 /1 company',
      '2026-11-19 USD 3.1 /1 company',
    ]);
    expect(pagination).toEqual({
      ...{ total: 3, limit: 50, offset: 0, hasMore: false },
      ...{ page: 1, pageSize: 50, totalPages: 1 },
    });
    expect(data[1]).toEqual({
      ...{ id: expect.any(Number), currency: 'USD', date: '2026-11-20', rate: 3.08, unit: 1 },
      ...{ source: 'company', createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
  });

  it('are stored exactly', async () => {
    const key = await newCompany();
    const rates = [0.0001, 0.1, 3.0725, 1234567.8901, 9_999_999_999.9999];
    await save(key, ...rates.map((rate, at) => usd(`2026-11-0${at + 1}`, rate)));
    const { data } = await list(key);
    expect(data.map(({ rate }) => rate)).toEqual(rates.toReversed());
  });

  it('are not visible to other companies', async () => {
    const [one, another] = [await newCompany(), await newCompany()];
    await save(one, usd('2026-11-20', 1.5));
    await save(another, usd('2026-11-20', 2.5));
    expect((await list(one)).rows).toEqual(['2026-11-20 USD 1.5 /1 company']);
    expect((await list(another)).rows).toEqual(['2026-11-20 USD 2.5 /1 company']);
  });

  it('can be saved by accountants and owners, and read by all', async () => {
    const owner = await newCompany();
    await save(owner, usd('2026-11-20', 1.5));
    await save(await newKey('accountant', owner), usd('2026-11-20', 2.5));
    for (const role of ['editor', 'viewer']) {
      const key = await newKey(role, owner);
      expectError(await refused(key, usd('2026-11-20', 9)), { status: 403, code: 'FORBIDDEN' });
      expect((await list(key)).rows).toEqual(['2026-11-20 USD 2.5 /1 company']);
    }
  });

  it('are saved completely or not at all, and the invalid one is named', async () => {
    const key = await newCompany();
    const good = usd('2026-11-20', 3);
    const wrong: [object, string][] = [
      [usd('2026-11-20', 3.5), 'rates[1]'],
      [usd('2026-11-20', 3, 100), 'rates[1]'],
      [{ ...usd('2026-11-21', 1), currency: 'ILS' }, 'rates[1].currency'],
      [usd('1969-12-31', 3), 'rates[1].date'],
      [usd('2101-01-01', 3), 'rates[1].date'],
      [usd('2026-11-21', 3.00001), 'rates[1].rate'],
      [usd('2026-11-21', 3, 7), 'rates[1].unit'],
    ];
    for (const [other, field] of wrong) expectError(await refused(key, good, other), { ...invalid, field });
    expect((await list(key)).rows).toEqual([]);
  });

  it('may be up to a thousand at once, for any day within the limits', async () => {
    const key = await newCompany();
    const rates = Array.from({ length: 1_000 }, (_, at) =>
      usd(new Date(Date.UTC(2098, 3, 6 + at)).toISOString().slice(0, 10), 3),
    );
    expectError(await refused(key, ...rates, usd('1970-01-01', 3)), { ...invalid, field: 'rates' });
    expectError(await refused(key), { ...invalid, field: 'rates' });
    expect(await save(key, ...rates)).toMatchObject({ saved: 1_000, new: 1_000 });
    expect((await list(key, '?limit=1')).rows).toEqual(['2100-12-31 USD 3 /1 company']);
  });

  it('exist once if they are saved twice concurrently', async () => {
    const key = await newCompany();
    const days = Array.from({ length: 20 }, (_, at) => `2026-10-${String(at + 1).padStart(2, '0')}`);
    const answers = await Promise.all(
      [days, days.toReversed(), days, days.toReversed()].map((some) =>
        save(key, ...some.map((day) => usd(day, 3))),
      ),
    );
    expect(answers.map((answer) => answer.new).sort((a, b) => b - a)).toEqual([20, 0, 0, 0]);
    expect((await list(key)).pagination.total).toBe(20);
  });
});

describe('the list of rates', () => {
  it('has own and published ones, and can be filtered by currency and days', async () => {
    const key = await newCompany();
    await importRates('CHF,2020-02-27,3.5,', 'CHF,2020-02-28,3.6,', 'SEK,2020-02-28,0.3571,1');
    await save(key, { currency: 'CHF', date: '2020-02-28', rate: 3.7 });
    const all = [
      '2020-02-28 CHF 3.6 /1 published',
      '2020-02-28 CHF 3.7 /1 company',
      '2020-02-28 SEK 0.3571 /1 published',
      '2020-02-27 CHF 3.5 /1 published',
    ];
    const range = 'startDate=2020-02-01&endDate=2020-02-29';
    expect((await list(key, `?${range}`)).rows).toEqual(all);
    expect((await list(key, `?${range}&currency=CHF`)).rows).toEqual([all[0], all[1], all[3]]);
    expect((await list(key, `?startDate=2020-02-27&endDate=2020-02-27`)).rows).toEqual([all[3]]);
    expect((await list(key, `?startDate=2020-02-28&endDate=2020-02-28&currency=SEK`)).rows).toEqual([all[2]]);
    const page = await list(key, `?${range}&limit=2&page=2`);
    expect(page.rows).toEqual(all.slice(2));
    expect(page.pagination).toMatchObject({ total: 4, hasMore: false, page: 2 });
  });
});

describe('npm run -s admin -- rates:import', () => {
  it('imports rates for every company, and reports how many are new or revised', async () => {
    const lines = ['USD,2019-03-01,3.6270,1', 'JPY,2019-03-01,3.2489,100'];
    expect(await importRates(...lines)).toEqual({ imported: 2, new: 2, revised: 0 });
    expect(await importRates(...lines, 'USD,2019-03-04,3.63,')).toEqual({ imported: 3, new: 1, revised: 0 });
    expect(await importRates('USD,2019-03-04,3.64,')).toEqual({ imported: 1, new: 0, revised: 1 });
    for (const key of [DEMO_KEY, await newCompany()]) {
      expect((await list(key, '?startDate=2019-03-01&endDate=2019-03-04')).rows).toEqual([
        '2019-03-04 USD 3.64 /1 published',
        '2019-03-01 JPY 3.2489 /100 published',
        '2019-03-01 USD 3.627 /1 published',
      ]);
    }
  });

  it('imports nothing if a line is invalid', async () => {
    const lines = ['USD,2018-03-01,3.6270', 'USD,2018-03-32,3.6270', 'ILS,2018-03-01,1'];
    const { ended, complaint } = await importBy(givenFile('currency,date,rate', ...lines));
    expect(ended).toBe(1);
    expect(complaint.trim().split('\n')).toEqual([
      expect.stringMatching(/^nothing was imported from .*\.csv:$/),
      'line 3: date must be a calendar date, YYYY-MM-DD',
      'line 4: currency must not be ILS: a rate says what another currency is worth in shekels',
    ]);
    expect((await list(DEMO_KEY, '?startDate=2018-03-01&endDate=2018-03-31')).rows).toEqual([]);
    await expect(service.admin('rates:import')).rejects.toThrow('ended with 1');
    const { complaint: none } = await importBy(`${folder}/none.csv`);
    expect(none).toBe(`${folder}/none.csv is not a file that can be read\n`);
  });
});

describe('an expense in another currency', () => {
  const MANY = 3_000;

  /** Inserts this many expenses of the demo company in a currency, as if there were no rates yet. */
  const givenExpenses = async (currency: string): Promise<void> => {
    await service.database.query(
      `with vendor as (
         insert into entities (visible_id, company_id, is_vendor, name, tax_id, type, created_at, updated_at)
         select gen_random_uuid(), min(id), true, 'Paper Ltd', '514000000', 'COMPANY', now(), now() from companies
         returning id, company_id
       ), receipt as (
         insert into files (company_id, user_id, storage_key, file_name, mime_type, size, sha256, created_at)
         select v.company_id, (select min(id) from users u where u.company_id = v.company_id), $1, 'r.txt',
                'text/plain', 1, encode(sha256('x'), 'hex'), now() from vendor v
         returning id, company_id, user_id
       )
       insert into expenses (company_id, user_id, entity_id, file_id, date, currency, total, tax, deductable_tax,
         is_equipment, created_at, updated_at)
       select r.company_id, r.user_id, v.id, r.id, date '2017-05-01' + n % 10, $1, n, 0, 0, false, now(), now()
         from vendor v, receipt r, generate_series(1, ${MANY}) n`,
      [currency],
    );
  };
  const converted = async (currency: string, times: number): Promise<number> =>
    (
      await service.database.query('select from expenses where currency = $1 and total_in_ils = total * $2', [
        currency,
        times,
      ])
    ).length;
  const told = async (currency: string): Promise<number> =>
    (
      await service.database.query(
        `select distinct (body::jsonb #>> '{data,expense,id}') from outbox_events
          where type = 'expense.updated' and body::jsonb #>> '{data,expense,currency}' = $1`,
        [currency],
      )
    ).length;

  it('is converted before the call that saves the rate is answered', async () => {
    await givenExpenses('NOK');
    await save(DEMO_KEY, { currency: 'NOK', date: '2017-04-30', rate: 40, unit: 100 });
    expect(await converted('NOK', 0.4)).toBe(MANY);
    expect(await told('NOK')).toBe(MANY);
  });

  it('is converted with imported rates', async () => {
    await givenExpenses('DKK');
    await importRates('DKK,2017-05-01,0.5,');
    expect(await converted('DKK', 0.5)).toBe(MANY);
  });

  it.each([
    ['with a batch written', 'revaluation.converted', 'AUD', 0],
    ['between two batches', 'revaluation.committed', 'CAD', 500],
  ])('is converted by the worker if the import is killed %s', async (_, point, currency, before) => {
    await givenExpenses(currency);
    await service.worker.kill('SIGKILL');
    const file = givenFile('currency,date,rate', `${currency},2017-05-01,2`);
    expect(await importBy(file, point)).toMatchObject({ ended: 'SIGKILL' });
    expect(await converted(currency, 2)).toBe(before);
    await service.replaceWorker();
    await until('all are converted', async () => (await converted(currency, 2)) === MANY, 30_000);
    expect(await told(currency)).toBe(MANY);
  });
});

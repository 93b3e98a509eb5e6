import { setTimeout as sleep } from 'node:timers/promises';
import {
  DEMO_KEY,
  freePorts,
  queueStores,
  ServiceProcess,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { CostsClient, LEAST_EXPENSE } from './costs-client';
import { DescribedApi } from './described-api';
import { type ExpectedError, expectError } from './error-body';
import { notFound } from './expected-errors';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { type FileAnswer, form, sendForm, SlowUpload, storedIn, upload } from './uploads';
import { MIB } from './wire-values';

const inUse: ExpectedError = { status: 409, code: 'INVALID_STATE' };
const full: ExpectedError = { status: 409, code: 'LIMIT_REACHED' };
const unknownFile: ExpectedError = { status: 400, code: 'UNKNOWN_REFERENCE' };

let service: ServiceProcesses;
let workerMetricsPort: number;
let apiMetricsPort: number;

beforeAll(async () => {
  [workerMetricsPort, apiMetricsPort] = (await freePorts(2)) as [number, number];
  service = await startProcesses(queueStores()[0]!, {
    METRICS_PORT: `${apiMetricsPort}`,
    WORKER_METRICS_PORT: `${workerMetricsPort}`,
  });
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

const newCompany = () => service.createCompany('Acme');
const limits = (companyId: number, ...options: string[]) =>
  service.admin<{ limits: object }>('company:limits', '--company', `${companyId}`, ...options);
/** Sets a limit like the admin command, without starting a process. */
const limit = (companyId: number, name: 'fileBytes' | 'fileCount', value: number | null) =>
  service.database.query('insert into company_limits (company_id, name, value) values ($1, $2, $3)', [
    companyId,
    name,
    value,
  ]);
const send = (method: string, path: string, body?: object, { key = DEMO_KEY, url = service.url } = {}) =>
  exchange(url, {
    ...{ method, path, headers: { authorization: `Bearer ${key}` } },
    body: body && JSON.stringify(body),
  });
const remove = (id: number, by: { key?: string; url?: string } = {}): Promise<Answer> =>
  send('DELETE', `/files/${id}`, undefined, by);
const open = ({ remoteUrl }: FileAnswer): Promise<Answer> => {
  const { pathname, search } = new URL(remoteUrl);
  return exchange(service.url, { method: 'GET', path: pathname + search, headers: { authorization: null } });
};
const vendor = async (): Promise<{ vendorId: number; visibleId: string }> => {
  const taxId = `${Math.floor(Math.random() * 1e9)}`;
  const made = await send('POST', '/vendors/create', { name: 'Acme', taxId, type: 'COMPANY' });
  return JSON.parse(made.text) as { vendorId: number; visibleId: string };
};
/** Makes all rows an hour older for the sweep. */
const age = () =>
  service.database.query(`update file_uploads set started_at = started_at - interval '61 minutes'`);
const isStored = (key: string): boolean => storedIn(service).some((file) => file.endsWith(key));
/** Starts one call, and the other up to 19 ms later, alternating the order. So either may be first. */
async function oneAfterAnother<One, Other>(
  round: number,
  one: () => One,
  other: () => Other,
): Promise<[One, Other]> {
  const leadMs = Math.floor(round / 2) % 20;
  if (round % 2 === 0) {
    const first = one();
    await sleep(leadMs);
    return [first, other()];
  }
  const first = other();
  await sleep(leadMs);
  return [one(), first];
}
async function keyOf(id: number): Promise<string> {
  const [file] = await service.database.query<{ key: string }>(
    'select storage_key as key from files where id = $1',
    [id],
  );
  return file!.key;
}

describe('DELETE /files/:id', () => {
  it('closes the file for keys, links and lists at once, and deletes its bytes', async () => {
    const file = await upload(service.url, 'receipt');
    const key = await keyOf(file.id);
    expect((await open(file)).status).toBe(200);
    const answer = await remove(file.id);
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({
      status: 200,
      body: { success: true },
    });
    expectError(await open(file), notFound);
    expectError(await send('GET', `/files/${file.id}/content`), notFound);
    expectError(await send('GET', `/expenses/extract-from-file/${file.id}`), notFound);
    expectError(await remove(file.id), notFound);
    const { data } = JSON.parse((await send('GET', '/files')).text) as { data: FileAnswer[] };
    expect(data.map(({ id }) => id)).not.toContain(file.id);
    expect(isStored(key)).toBe(false);
  });

  it('refuses a file in use, and names what uses it', async () => {
    const [receipt, logo, certificate] = await Promise.all([1, 2, 3].map(() => upload(service.url, 'x')));
    const { vendorId, visibleId } = await vendor();
    const expense = { ...LEAST_EXPENSE, vendorId, fileId: receipt!.id };
    const made = JSON.parse((await send('POST', '/expenses/create', expense)).text) as { expenseId: number };
    const files = { logoFileId: logo!.id, withholdingFileId: certificate!.id };
    expect((await send('PUT', `/vendors/edit/${visibleId}`, files)).status).toBe(200);
    for (const [file, use] of [
      [receipt!, `the receipt of expense ${made.expenseId}`],
      [logo!, 'the logo of Acme'],
      [certificate!, 'the withholding certificate of Acme'],
    ] as const) {
      const answer = await remove(file.id);
      expectError(answer, inUse);
      expect(JSON.parse(answer.text).error).toContain(use);
      expect((await open(file)).status).toBe(200);
    }
    await send('DELETE', `/expenses/delete/${made.expenseId}`);
    const { id: other } = await upload(service.url, 'y');
    const instead = { logoFileId: other, withholdingFileId: other };
    expect((await send('PUT', `/vendors/edit/${visibleId}`, instead)).status).toBe(200);
    for (const { id } of [receipt!, logo!, certificate!]) expect((await remove(id)).status).toBe(200);
  });

  it('either deletes the file or loses to a concurrent use of it', async () => {
    const { url: other } = await service.startApi();
    const { vendorId } = await vendor();
    const outcomes = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const file = await upload(service.url, `receipt ${round}`);
      const fileId = file.id;
      const { visibleId } = await vendor();
      const use = () => [
        send('POST', '/expenses/create', { ...LEAST_EXPENSE, vendorId, fileId }, { url: other }),
        send('PUT', `/vendors/edit/${visibleId}`, { logoFileId: fileId }),
      ];
      const removeTwice = () => [remove(fileId), remove(fileId, { url: other })];
      const [uses, removals] = await oneAfterAnother(round, use, removeTwice);
      const used = await Promise.all(uses);
      const removed = await Promise.all(removals);
      const isGone = removed.some(({ status }) => status === 200);
      outcomes.add(isGone ? 'gone' : 'used');
      for (const answer of used) {
        if (isGone) expectError(answer, unknownFile);
        else if (answer.status >= 300) expectError(answer, unknownFile);
      }
      expect(used.some(({ status }) => status < 300)).toBe(!isGone);
      for (const answer of removed) if (answer.status !== 200) expectError(answer, isGone ? notFound : inUse);
      expect((await open(file)).status).toBe(isGone ? 404 : 200);
    }
    expect([...outcomes].sort()).toEqual(['gone', 'used']);
  });

  describe('in a process that is killed', () => {
    it.each([
      ['file.removed', 200],
      ['file.removal-committed', 404],
    ] as const)('at %s, leaves the file complete or deleted', async (faultPoint, status) => {
      const file = await upload(service.url, 'receipt');
      const key = await keyOf(file.id);
      const doomed = await service.startApiProcess({ FAULT_POINT: faultPoint });
      await expect(remove(file.id, { url: doomed.url })).rejects.toThrow();
      expect(await doomed.process.ended).toBe('SIGKILL');
      expect((await open(file)).status).toBe(status);
      expect(isStored(key)).toBe(true);
      if (status === 200) {
        expect((await remove(file.id)).status).toBe(200);
        expect(isStored(key)).toBe(false);
        return;
      }
      await age();
      // A worker ends between deleting the bytes and recording it. The next worker completes the deletion.
      const worker = await service
        .startWorkerProcess({ FAULT_POINT: 'file.bytes-removed' })
        .catch((error: unknown) => error);
      if (worker instanceof ServiceProcess) expect(await worker.ended).toBe('SIGKILL');
      const notes = () => service.database.query('select 1 from file_uploads');
      expect(await notes()).not.toEqual([]);
      await service.replaceWorker();
      await until('the note to be forgotten', async () => (await notes()).length === 0);
      expect(isStored(key)).toBe(false);
    });
  });
});

describe('the storage quota of a company', () => {
  it('can be set and read by an operator', async () => {
    const { companyId } = await newCompany();
    const set = await limits(companyId, '--file-bytes', '10GiB', '--file-count', '100000');
    expect(set).toEqual({ companyId, limits: { fileBytes: 10 * 1024 ** 3, fileCount: 100_000 } });
    expect(await limits(companyId, '--file-bytes', 'default', '--file-count', 'off')).toEqual({
      companyId,
      limits: { fileCount: null },
    });
    await expect(limits(companyId, '--file-bytes', '10GB')).rejects.toThrow();
    await expect(limits(999_999, '--file-count', '1')).rejects.toThrow();
  });

  it('is never exceeded by twenty concurrent uploads to three processes', async () => {
    const { companyId, ownerKey: key } = await newCompany();
    await limit(companyId, 'fileCount', 7);
    await limit(companyId, 'fileBytes', MIB);
    const urls = [service.url, (await service.startApiProcess()).url, (await service.startApiProcess()).url];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        sendForm(urls[at % 3]!, form(Buffer.alloc(200_000, 'x')), { key }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, full);
    const { data } = JSON.parse((await send('GET', '/files', undefined, { key })).text) as {
      data: FileAnswer[];
    };
    expect(data).toHaveLength(5);
    const small = await upload(service.url, 'x', { key });
    await upload(service.url, 'x', { key });
    expectError(await sendForm(service.url, form('x'), { key }), full);
    expect((await remove(small.id, { key })).status).toBe(200);
    await upload(service.url, 'x', { key });
  });

  it('refuses an upload before its body if it is full, or else when it would be exceeded', async () => {
    const { companyId, ownerKey: key } = await newCompany();
    await limit(companyId, 'fileBytes', MIB);
    const notes = () => service.database.query('select storage_key from file_uploads order by 1');
    const before = await notes();
    const streaming = new SlowUpload(service.url, 20 * MIB, key);
    const answered = streaming.answer();
    await streaming.send(form(Buffer.alloc(19 * MIB, 'x')).subarray(0, 2 * MIB));
    expect(await answered).toMatch(/^HTTP\/1\.1 409 [^]*"code":"LIMIT_REACHED"/);
    streaming.hangUp();
    await upload(service.url, Buffer.alloc(MIB, 'x'), { key });
    const slow = new SlowUpload(service.url, 20 * MIB, key);
    expect(await slow.answer()).toMatch(/^HTTP\/1\.1 409 [^]*"code":"LIMIT_REACHED"/);
    slow.hangUp();
    await until('nothing to be left of them', async () => (await notes()).length === before.length);
    expect(await notes()).toEqual(before);
  });

  it('defaults to that of the installation', async () => {
    const [limited, free] = [await newCompany(), await newCompany()];
    await limit(free.companyId, 'fileCount', null);
    const { url } = await service.startApi({ FILE_QUOTA_FILES: '1', FILE_QUOTA_BYTES: '1KiB' });
    expectError(await sendForm(url, form('x'.repeat(1_025)), { key: limited.ownerKey }), full);
    await upload(url, 'x', { key: limited.ownerKey });
    expectError(await sendForm(url, form('x'), { key: limited.ownerKey }), full);
    for (let turn = 0; turn < 3; turn++) await upload(url, 'x', { key: free.ownerKey });
  });

  it('does not count documents read from a url', async () => {
    const client = await new CostsClient(service, await DescribedApi.of(service), '').ofNewCompany();
    const usage = () =>
      service.database.query('select company_id, bytes, files from storage_usage order by company_id');
    const before = await usage();
    const at = '/expenses/extract-from-url?url=https%3A%2F%2F127.0.0.1%2Fa';
    await send('GET', at, undefined, { key: client.key });
    expect(await usage()).toEqual(before);
  });
});

describe('the metric of stored bytes', () => {
  const metrics = async (port: number): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

  it('names the twenty largest companies in the worker, and is not in the API', async () => {
    const { companyId, ownerKey } = await newCompany();
    await upload(service.url, Buffer.alloc(3 * MIB, 'x'), { key: ownerKey });
    await service.database.query(
      `with made as (insert into companies (name, created_at) select 'Other', now() from generate_series(1, 30)
                     returning id)
       insert into storage_usage (company_id, bytes, files) select id, 5, 1 from made`,
    );
    const told = await metrics(workerMetricsPort);
    expect(told).toContain(`\ncounterfoil_stored_bytes{companyId="${companyId}"} ${3 * MIB}\n`);
    expect(told.match(/^counterfoil_stored_bytes\{/gm)).toHaveLength(20);
    expect(await metrics(apiMetricsPort)).not.toContain('counterfoil_stored_bytes');
  });
});

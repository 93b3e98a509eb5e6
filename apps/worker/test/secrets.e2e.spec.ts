import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  processFamily,
  queueStores,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { extract, FOUND, fresh } from './samples';

const SECRETS_KEY = 'a-secrets-key-that-stands-in-a-file';
const SECOND_READER_API_KEY = 'sk-of-the-second-reader';

describe('the processes of a service with secrets from the environment and from files', () => {
  const [store] = queueStores();
  let service: ServiceProcesses;
  let folder: string;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-secrets-'));
    const file = path.join(folder, 'secrets_key');
    fs.writeFileSync(file, `${SECRETS_KEY}\n`, { mode: 0o600 });
    service = await startProcesses(store!, {
      SECRETS_KEY: '',
      SECRETS_KEY_FILE: file,
      SECOND_READER_URL: 'http://127.0.0.1:9/v1',
      SECOND_READER_MODEL: 'm',
      SECOND_READER_API_KEY,
      READER_SANDBOX: 'auto',
      AWS_SECRET_ACCESS_KEY: 'of-the-sdk',
    });
  });
  afterAll(async () => {
    await service?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const environmentOf = (pid: number) => fs.readFileSync(`/proc/${pid}/environ`, 'latin1');

  it('do not show them, and work; the reader sees only what it needs', async () => {
    const { body } = await extract(service, await service.upload(fresh()));
    expect(body.expenseData).toMatchObject(FOUND);
    expect(
      await service.request('POST', '/webhooks', { url: 'https://example.com', events: ['*'] }),
    ).toMatchObject({
      status: 201,
    });

    const readers = processFamily(service.worker.pid).slice(1);
    expect(readers.length).toBeGreaterThan(0);
    for (const pid of [service.api.pid, service.worker.pid, ...readers]) {
      const shown = environmentOf(pid);
      for (const secret of [service.database.url, SECRETS_KEY, SECOND_READER_API_KEY, 'of-the-sdk']) {
        expect(shown).not.toContain(secret);
      }
    }
    for (const pid of [service.api.pid, service.worker.pid])
      expect(environmentOf(pid)).toContain('DATABASE_URL=\0');
    for (const pid of readers) expect(environmentOf(pid)).not.toContain('DATA_DIR');
  });

  it('log how the reader is isolated', () => {
    const lines = service.worker.log
      .split('\n')
      .filter((line) => line.includes('isolation of the receipt reader'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      sandbox: expect.stringMatching(/^(namespaces|bwrap|user|none)$/),
      refused: expect.any(Array),
    });
  });

  it('log what a reader without a sandbox could reach, and how to forbid it', async () => {
    const worker = await service.startWorkerProcess({ READER_SANDBOX: 'off' });
    const line = await until('the warning', () =>
      worker.log.split('\n').find((one) => one.includes('isolation of the receipt reader')),
    );
    const { level, msg } = JSON.parse(line) as { level: unknown; msg: string };
    expect(level).toBe(40);
    for (const told of ['network', 'SECRETS_KEY', 'DATABASE_URL', service.dataDir, 'READER_SANDBOX=require'])
      expect(msg).toContain(told);
  });
});

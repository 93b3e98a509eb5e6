import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { queueStores, startProcesses, type ServiceProcesses } from '@counterfoil/test-harness';
import { extract, FOUND, fresh } from './samples';

const MAIN = path.resolve(__dirname, '../../../dist/apps/reader/src/main.js');

describe('a separate reader', () => {
  const [store] = queueStores();
  let folder: string;
  let socket: string;
  let reader: ChildProcess;
  let service: ServiceProcesses;

  /** Starts a reader like its container does, with only the socket path in the environment. */
  async function startReader(env: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
    const started = spawn(process.execPath, [MAIN], {
      env: { READER_SOCKET: socket, LOG_LEVEL: 'error', ...env },
      stdio: [...stdio],
    });
    await Promise.race([
      once(started, 'message'),
      once(started, 'exit').then(() => Promise.reject(new Error('the reader ended'))),
    ]);
    return started;
  }

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-socket-'));
    socket = path.join(folder, 'reader.sock');
    reader = await startReader();
    service = await startProcesses(store!, { READER_SOCKET: socket });
  });
  afterAll(async () => {
    await service?.stop();
    reader?.kill('SIGKILL');
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const childrenOf = (pid: number) => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();

  it('reads for a worker, which starts no reader process', async () => {
    const { status, body } = await extract(service, await service.upload(fresh()));
    expect({ status, found: body.expenseData }).toMatchObject({ status: 200, found: FOUND });
    expect(childrenOf(service.worker.pid)).toBe('');
    expect(childrenOf(reader.pid!)).not.toBe('');
    expect(fs.statSync(socket).mode & 0o777).toBe(0o660);
  });

  it('may be unavailable: callers get 503, and it reads again when it is back', async () => {
    reader.kill('SIGKILL');
    await once(reader, 'exit');
    const lost = await extract(service, await service.upload(fresh()));
    expect(lost).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });

    // The killed reader has left its socket file behind.
    expect(fs.existsSync(socket)).toBe(true);
    reader = await startReader();
    const { body } = await extract(service, await service.upload(fresh()));
    expect(body.expenseData).toMatchObject(FOUND);
  });

  it('exits with 0 when it is told to stop, and removes its socket', async () => {
    reader.kill('SIGTERM');
    const [code] = (await once(reader, 'exit')) as [number | null];
    expect([code, fs.existsSync(socket)]).toEqual([0, false]);
  });
});

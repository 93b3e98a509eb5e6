import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DEMO_KEY,
  Figures,
  percentile,
  queueStores,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { closeConnections, exchange } from '../http-exchange';
import { END, MemoryWatch, MULTIPART, part, SlowUpload, storedIn, upload } from '../uploads';

const UPLOADS = 500;
const MIB = 1024 * 1024;
const GROWTH_MAX_MIB = 200;
const SLOW_UPLOADS = 200;
const MARK_BYTES = 16;
/** Of one upload. The first refused ones are repeated while the others are read. */
const ATTEMPTS_MAX = 4;

const figures = new Figures();
let service: ServiceProcesses;
let stranger: string;

beforeAll(async () => {
  service = await startProcesses(queueStores()[0]!, { LOG_LEVEL: 'warn' });
  ({ ownerKey: stranger } = await service.createCompany('Slow'));
  await upload(service.url, Buffer.alloc(MIB));
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

/** Bytes shared by all uploads, so that 500 of them need little memory in this process. */
const COMMON = randomBytes(MIB - MARK_BYTES);

interface Uploaded {
  readonly status: number;
  readonly isWhole: boolean;
  /** Seconds after which a refused upload is to be repeated. */
  readonly retryAfter: number;
}

/** Uploads 1 MiB as clients do: again after a refusal because the process is busy with the uploads of its company. */
async function uploadUntilAccepted(refused: () => void): Promise<Uploaded> {
  for (let attempt = 1; ; attempt += 1) {
    const uploaded = await uploadMarked();
    if (uploaded.status !== 503 || attempt === ATTEMPTS_MAX) return uploaded;
    refused();
    await sleep(uploaded.retryAfter * 1_000);
  }
}

/** Uploads 1 MiB on a new connection. */
function uploadMarked(): Promise<Uploaded> {
  const mark = randomBytes(MARK_BYTES);
  const sha256 = createHash('sha256').update(mark).update(COMMON).digest('hex');
  const opening = part('form-data; name="file"; filename="a.bin"', mark).subarray(0, -2);
  const closing = Buffer.concat([Buffer.from('\r\n'), END]);
  const headers = {
    authorization: `Bearer ${DEMO_KEY}`,
    'content-type': MULTIPART,
    'content-length': opening.length + COMMON.length + closing.length,
  };
  return new Promise((resolve, reject) => {
    const request = http.request(`${service.url}/files/upload`, { method: 'POST', headers, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      const retryAfter = Number(response.headers['retry-after'] ?? 0);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, isWhole: text.includes(sha256), retryAfter }),
      );
    });
    request.write(opening);
    request.write(COMMON);
    request.end(closing);
  });
}

/** Measures the durations of other calls until stopped. */
function startOthers(): { readonly stop: () => Promise<readonly number[]> } {
  const waits: number[] = [];
  let stopped = false;
  const asking = (async () => {
    while (!stopped) {
      const started = performance.now();
      const { status } = await exchange(service.url, { method: 'GET', path: '/company' });
      if (status !== 200) throw new Error(`another request was answered ${status}`);
      waits.push(performance.now() - started);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await asking;
      return waits;
    },
  };
}

/** @param refusalsMax a company that is alone is never refused */
async function allAtOnce(refusalsMax: number): Promise<void> {
  const before = storedIn(service).length;
  const memory = new MemoryWatch(service.api.pid);
  const others = startOthers();
  const started = performance.now();
  let refusals = 0;
  const refused = () => void (refusals += 1);
  const uploaded = await Promise.all(Array.from({ length: UPLOADS }, () => uploadUntilAccepted(refused)));
  const seconds = (performance.now() - started) / 1000;
  const waits = await others.stop();
  figures.add('answered 201', uploaded.filter(({ status }) => status === 201).length, '', {
    atLeast: UPLOADS,
  });
  figures.add('refused with 503, and repeated', refusals, '', { atMost: refusalsMax });
  figures.add('told with their own digest', uploaded.filter(({ isWhole }) => isWhole).length, '', {
    atLeast: UPLOADS,
  });
  figures.add('stored', storedIn(service).length - before, '', { atLeast: UPLOADS });
  figures.add("growth of the API's memory, at most", memory.grownMib(), ' MiB', { below: GROWTH_MAX_MIB });
  figures.add('all of them took', seconds, ' s');
  figures.add('others waited meanwhile, p99', percentile(waits, 0.99), ' ms');
  expect(figures.broken).toEqual([]);
}

const underWay = async (): Promise<number> =>
  (await service.database.query<{ count: number }>('select count(*)::int from file_uploads'))[0]!.count;

describe('500 concurrent uploads of 1 MiB', () => {
  it('all arrive, and memory does not grow with their number', async () => {
    figures.heading('500 uploads of 1 MiB at once');
    await allAtOnce(0);
  });

  it('do so again, while the same number of connections of another company are silent', async () => {
    figures.heading('the same beside 200 uploads of another company that have stopped half way');
    const before = storedIn(service).length;
    const slow = Array.from({ length: SLOW_UPLOADS }, () => new SlowUpload(service.url, MIB, stranger));
    const half = part('form-data; name="file"; filename="a.bin"', randomBytes(MIB / 2));
    await Promise.all(slow.map((one) => one.send(half)));
    await until('all to begin', async () => (await underWay()) === SLOW_UPLOADS, 30_000);
    await allAtOnce(UPLOADS * (ATTEMPTS_MAX - 1));
    for (const one of slow) one.hangUp();
    await until('nothing to be left of them', async () => (await underWay()) === 0, 30_000);
    figures.add('left of those that stopped', storedIn(service).length - before - UPLOADS, '', { atMost: 0 });
    expect(figures.broken).toEqual([]);
  });
});

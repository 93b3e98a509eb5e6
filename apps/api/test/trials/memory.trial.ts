import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventReceiver,
  Figures,
  queueStores,
  startEventReceiver,
  startService,
  type TestService,
  heapOf,
  probed,
} from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { MixedLoad } from './mixed-load';
import { type Sample, slopeOf } from './slope';

/** Either process gets by with far less than Node.js would give it. */
const HEAP_MAX_MIB = 256;
const CLIENTS = 6;
const CALLS_PER_SECOND = 40;
/** Code and caches are loaded in the meantime. */
const WARM_UP_MS = 90_000;
const SAMPLES = 23;
const SAMPLE_MS = 15_000;
/** Memory that is never freed adds up. Counted by calls, so that a machine that is busy with something else hides nothing. */
const GROWTH_MAX_MIB_PER_1000_CALLS = 0.5;
/** Of the calls, which a machine that is busy with something else does not keep up with. */
const MADE_SHARE = 0.5;
const WRONG_SHARE_MAX = 0.01;

let service: TestService;
let receiver: EventReceiver;

beforeAll(async () => {
  receiver = await startEventReceiver();
  service = await startService(queueStores()[0]!, {
    LOG_LEVEL: 'warn',
    NODE_EXTRA_CA_CERTS: receiver.certificateFile,
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
    NODE_OPTIONS: probed(HEAP_MAX_MIB),
  });
});

afterAll(async () => {
  closeConnections();
  await service?.stop();
  await receiver?.close();
});

it('keeps the memory of API and worker bounded under a moderate load of everything', async () => {
  const figures = new Figures();
  figures.heading(
    `${CALLS_PER_SECOND} calls a second of ${CLIENTS} companies, heaps after a full collection`,
  );
  const load = await MixedLoad.start(
    service,
    { clients: CLIENTS, perSecond: CALLS_PER_SECOND },
    receiver.url,
  );
  await sleep(WARM_UP_MS);
  const heaps: Record<'api' | 'worker', Sample[]> = { api: [], worker: [] };
  for (let sample = 0; sample < SAMPLES; sample++) {
    if (sample > 0) await sleep(SAMPLE_MS);
    for (const process of ['api', 'worker'] as const)
      heaps[process].push([load.calls / 1_000, (await heapOf(service[process])).used]);
    figures.note(`${load.calls} calls: API ${shown(heaps.api)}, worker ${shown(heaps.worker)}`);
  }
  await load.stop();
  for (const process of ['api', 'worker'] as const) {
    figures.add(`heap of the ${process}, at first`, heaps[process][0]![1], ' MiB');
    figures.add(`heap of the ${process}, in the end`, heaps[process].at(-1)![1], ' MiB');
    figures.add(`growth of the ${process}`, slopeOf(heaps[process]), ' MiB in 1,000 calls', {
      below: GROWTH_MAX_MIB_PER_1000_CALLS,
    });
    expect(service[process].isRunning).toBe(true);
  }
  const planned = (CALLS_PER_SECOND * (WARM_UP_MS + SAMPLE_MS * (SAMPLES - 1))) / 1_000;
  figures.add('calls', load.calls, '', { atLeast: planned * MADE_SHARE });
  figures.add('calls that went wrong', load.wrong, '', { atMost: load.calls * WRONG_SHARE_MAX });
  for (const fault of load.faults) figures.note(fault);
  figures.add('events delivered', receiver.received.length);
  expect(figures.broken).toEqual([]);
});

const shown = (heaps: readonly Sample[]): string => `${heaps.at(-1)![1].toFixed(1)} MiB`;

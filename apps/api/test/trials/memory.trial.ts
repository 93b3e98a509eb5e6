import os from 'node:os';
import {
  type EventReceiver,
  Figures,
  heapOf,
  heapSnapshotOf,
  probed,
  queueStores,
  startEventReceiver,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { closeConnections } from '../http-exchange';
import { MixedLoad } from './mixed-load';
import { growthOf, type Sample } from './slope';

/** Both processes need far less than Node.js would allow. */
const HEAP_MAX_MIB = 256;
const CLIENTS = 8;
/** During the warm-up code is loaded, and small caches fill. */
const WARM_UP_CALLS = 8_000;
const SAMPLE_CALLS = 1_000;
const MEASURED_CALLS = 40_000;
/** Time limit. On a machine that is too slow the trial fails. */
const TIME_MAX_MS = 1_200_000;
/** Maximum growth by calls, so that a slow machine does not hide a leak. */
const SLOPE_MAX_MIB = 0.1;
const RISE_MAX_MIB = 32;
const WRONG_SHARE_MAX = 0.01;
/** Number of calls between two heap snapshots, so that a leak exceeds temporary objects. */
const SNAPSHOT_CALLS = 10_000;

const PROCESSES = ['api', 'worker'] as const;
type ProcessName = (typeof PROCESSES)[number];

let service: TestService;
let receiver: EventReceiver;

beforeAll(async () => {
  receiver = await startEventReceiver();
  service = await startService(queueStores()[0]!, {
    LOG_LEVEL: 'warn',
    NODE_EXTRA_CA_CERTS: receiver.certificateFile,
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
    NODE_OPTIONS: probed(HEAP_MAX_MIB),
    HEAP_SNAPSHOTS: os.tmpdir(),
  });
});

afterAll(async () => {
  closeConnections();
  await service?.stop();
  await receiver?.close();
});

/** @returns whether this many calls were made before the deadline */
function reach(load: MixedLoad, calls: number, deadline: number): Promise<boolean> {
  return until(`${calls} calls`, () => load.calls >= calls, Math.max(1, deadline - Date.now())).then(
    () => true,
    () => false,
  );
}

/** Measures both heaps after every thousand calls. */
async function sampleHeaps(load: MixedLoad, figures: Figures): Promise<Record<ProcessName, Sample[]>> {
  const heaps: Record<ProcessName, Sample[]> = { api: [], worker: [] };
  const deadline = Date.now() + TIME_MAX_MS;
  for (let calls = 0; calls <= MEASURED_CALLS; calls += SAMPLE_CALLS) {
    if (!(await reach(load, WARM_UP_CALLS + calls, deadline))) break;
    const shown = await load.whilePaused(async () => {
      const sizes: string[] = [];
      for (const name of PROCESSES) {
        const { used, external } = await heapOf(service[name]);
        heaps[name].push([load.calls / 1_000, used]);
        sizes.push(`${name} ${used.toFixed(1)} MiB and ${external.toFixed(1)} of buffers`);
      }
      return sizes.join(', ');
    });
    figures.note(`${load.calls} calls: ${shown}`);
  }
  return heaps;
}

/** @returns whether the heap stayed within its bounds */
function addGrowth(figures: Figures, name: ProcessName, samples: readonly Sample[]): boolean {
  const broken = figures.broken.length;
  const { slope, riseMib } = growthOf(samples);
  figures.add(`heap of the ${name}, after warm-up`, samples[0]?.[1] ?? NaN, ' MiB');
  figures.add(`heap of the ${name}, in the end`, samples.at(-1)?.[1] ?? NaN, ' MiB');
  figures.add(`the most above the first, ${name}`, riseMib, ' MiB', { atMost: RISE_MAX_MIB });
  const unit = ' MiB in 1,000 calls';
  figures.add(`growth in the later half, ${name}`, slope, unit, { atMost: SLOPE_MAX_MIB });
  return figures.broken.length === broken;
}

/** Writes two snapshots. Their difference in the developer tools of a browser shows what is retained. */
async function writeSnapshots(load: MixedLoad, names: readonly ProcessName[], figures: Figures) {
  for (const when of ['early', 'late']) {
    for (const name of names) {
      const file = await load.whilePaused(() => heapSnapshotOf(service[name]));
      figures.note(`heap of the ${name}, ${when}, after ${load.calls} calls: ${file}`);
    }
    if (when === 'early') await reach(load, load.calls + SNAPSHOT_CALLS, Date.now() + TIME_MAX_MS / 4);
  }
}

it('keeps the memory of API and worker bounded under a mixed load', async () => {
  const figures = new Figures();
  figures.heading(`${CLIENTS} companies without a pause, heaps of ${HEAP_MAX_MIB} MiB after a collection`);
  const load = await MixedLoad.start(service, CLIENTS, receiver.url);
  await load.fillCaches();
  const [began, filled] = [performance.now(), load.calls];
  const heaps = await sampleHeaps(load, figures);
  figures.add('calls', load.calls, '', { atLeast: WARM_UP_CALLS + MEASURED_CALLS });
  figures.add('calls a second', (load.calls - filled) / ((performance.now() - began) / 1_000));
  figures.add('calls that went wrong', load.wrong, '', { atMost: load.calls * WRONG_SHARE_MAX });
  const grown = PROCESSES.filter((name) => !addGrowth(figures, name, heaps[name]));
  await writeSnapshots(load, grown, figures);
  await load.stop();
  for (const fault of load.faults) figures.note(fault);
  figures.add('events delivered', receiver.received.length);
  for (const name of PROCESSES) expect(service[name].isRunning).toBe(true);
  expect(figures.broken).toEqual([]);
});

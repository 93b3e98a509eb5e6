import os from 'node:os';
import {
  type EventReceiver,
  Figures,
  type Heap,
  heapOf,
  heapSnapshotOf,
  probed,
  queueStores,
  startEventReceiver,
  startProcesses,
  type ServiceProcesses,
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
/**
 * Maximum growth by 1,000 calls, so that a slow machine does not hide a leak, and above the first sample. Memory
 * outside the heaps is almost constant: its samples differ by less than 0.1 MiB.
 */
const BOUNDS = {
  used: { name: 'heap', slopeMaxMib: 0.1, riseMaxMib: 32 },
  buffers: { name: 'buffers', slopeMaxMib: 0.02, riseMaxMib: 4 },
  external: { name: 'other external memory', slopeMaxMib: 0.02, riseMaxMib: 4 },
} as const satisfies Record<keyof Heap, object>;
const KINDS = ['used', 'buffers', 'external'] as const satisfies readonly (keyof Heap)[];
const WRONG_SHARE_MAX = 0.01;
/** Number of calls between two heap snapshots, so that a leak exceeds temporary objects. */
const SNAPSHOT_CALLS = 10_000;

const PROCESSES = ['api', 'worker'] as const;
type ProcessName = (typeof PROCESSES)[number];

let service: ServiceProcesses;
let receiver: EventReceiver;

beforeAll(async () => {
  receiver = await startEventReceiver();
  service = await startProcesses(queueStores()[0]!, {
    LOG_LEVEL: 'warn',
    ...receiver.settings,
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

/** Samples of each kind of memory of a process. */
type Samples = Record<keyof Heap, Sample[]>;

/** Measures the memory of both processes after every thousand calls. */
async function sampleMemory(load: MixedLoad, figures: Figures): Promise<Record<ProcessName, Samples>> {
  const samples = { api: noSamples(), worker: noSamples() };
  const deadline = Date.now() + TIME_MAX_MS;
  for (let calls = 0; calls <= MEASURED_CALLS; calls += SAMPLE_CALLS) {
    if (!(await reach(load, WARM_UP_CALLS + calls, deadline))) break;
    const shown = await load.whilePaused(async () => {
      const sizes: string[] = [];
      for (const name of PROCESSES) {
        const heap = await heapOf(service[name]);
        for (const kind of KINDS) samples[name][kind].push([load.calls / 1_000, heap[kind]]);
        sizes.push(`${name} ${KINDS.map((kind) => heap[kind].toFixed(1)).join(' + ')} MiB`);
      }
      return sizes.join(', ');
    });
    figures.note(`${load.calls} calls: ${shown}`);
  }
  return samples;
}

const noSamples = (): Samples => ({ used: [], buffers: [], external: [] });

/** @returns whether every kind of memory of the process stayed within its bounds */
function addGrowth(figures: Figures, process: ProcessName, samples: Samples): boolean {
  const broken = figures.broken.length;
  for (const kind of KINDS) {
    const { name, slopeMaxMib, riseMaxMib } = BOUNDS[kind];
    const { slope, riseMib } = growthOf(samples[kind]);
    figures.add(`${name} of the ${process}, after warm-up`, samples[kind][0]?.[1] ?? NaN, ' MiB');
    figures.add(`${name} of the ${process}, in the end`, samples[kind].at(-1)?.[1] ?? NaN, ' MiB');
    figures.add('the most above the first', riseMib, ' MiB', { atMost: riseMaxMib });
    figures.add('growth in the later half', slope, ' MiB in 1,000 calls', { atMost: slopeMaxMib });
  }
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
  const samples = await sampleMemory(load, figures);
  figures.add('calls', load.calls, '', { atLeast: WARM_UP_CALLS + MEASURED_CALLS });
  figures.add('calls a second', (load.calls - filled) / ((performance.now() - began) / 1_000));
  figures.add('calls that went wrong', load.wrong, '', { atMost: load.calls * WRONG_SHARE_MAX });
  const grown = PROCESSES.filter((name) => !addGrowth(figures, name, samples[name]));
  await writeSnapshots(load, grown, figures);
  await load.stop();
  for (const fault of load.faults) figures.note(fault);
  figures.add('events delivered', receiver.received.length);
  for (const name of PROCESSES) expect(service[name].isRunning).toBe(true);
  expect(figures.broken).toEqual([]);
});

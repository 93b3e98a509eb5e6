import { Clock } from '@counterfoil/kernel';
import { Log, type LogFields } from '@counterfoil/observability';
import { openTestContext, startTestContext, type TestContext, until } from '@counterfoil/test-harness';

const HOUR_MS = 3_600_000;
/** The largest error of a reading on a busy machine. */
const TOLERANCE_MS = 10_000;

describe('DatabaseClock', () => {
  let context: TestContext;
  const warnings: LogFields[] = [];

  beforeAll(async () => {
    context = await startTestContext([]);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => context.close());

  class NotedWarnings extends Log {
    override warn(fields: LogFields): void {
      warnings.push(fields);
    }
    override debug(): void {}
    override info(): void {}
    override error(): void {}
    override fatal(): void {}
  }

  it.each([0, HOUR_MS, -HOUR_MS])(
    "returns the database's time when the system's clock is ahead by %i ms",
    async (shiftMs) => {
      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
      warnings.length = 0;
      const process = await openTestContext(context.config, [], (builder) =>
        builder.overrideProvider(Log).useValue(new NotedWarnings()),
      );
      try {
        const before = process.get(Clock).now().getTime();
        const [row] = await context.database.query<{ ms: number }>(
          'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
        );
        const after = process.get(Clock).now().getTime();
        expect(row?.ms).toBeGreaterThan(before - TOLERANCE_MS);
        expect(row?.ms).toBeLessThan(after + TOLERANCE_MS);
        const offsets = warnings.map(({ offsetMs }) => Math.round(Number(offsetMs) / HOUR_MS) * HOUR_MS);
        expect(offsets).toEqual(shiftMs === 0 ? [] : [shiftMs]);
      } finally {
        await process.close();
      }
    },
  );

  it.each([HOUR_MS, -HOUR_MS])(
    'corrects a jump of %i ms at its next reading, and logs it',
    async (jumpMs) => {
      warnings.length = 0;
      const process = await openTestContext(context.config, [], (builder) =>
        builder.overrideProvider(Log).useValue(new NotedWarnings()),
      );
      const now = performance.now.bind(performance);
      try {
        // Like a machine that was suspended for an hour, or a server whose clock was set back.
        jest.spyOn(performance, 'now').mockImplementation(() => now() - jumpMs);
        const jumps = () => warnings.filter((fields) => fields['jumpMs'] !== undefined);
        await until('the jump to be logged', () => jumps().length > 0, 20_000);
        const [jump] = jumps();
        expect(Math.abs(Number(jump?.['jumpMs']) - jumpMs)).toBeLessThan(TOLERANCE_MS);
        const [row] = await context.database.query<{ ms: number }>(
          'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
        );
        expect(Math.abs(process.get(Clock).now().getTime() - row!.ms)).toBeLessThan(TOLERANCE_MS);
      } finally {
        jest.restoreAllMocks();
        await process.close();
      }
    },
    30_000,
  );
});

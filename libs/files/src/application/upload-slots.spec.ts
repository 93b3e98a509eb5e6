import { UploadSlots } from './upload-slots';

const SLOTS = 1_500;
const SLOTS_OF_COMPANY = 600;
const refused = { code: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) };

describe('slots for uploads', () => {
  let slots: UploadSlots;
  let leave: ((how: 'well' | 'badly') => void)[];

  beforeEach(() => {
    slots = new UploadSlots();
    leave = [];
  });

  /** Takes slots and holds them until the test releases them. */
  function take(companyId: number, count: number): Promise<unknown>[] {
    return Array.from({ length: count }, () =>
      slots.hold(
        companyId,
        () =>
          new Promise<void>((resolve, reject) =>
            leave.push((how) => (how === 'well' ? resolve() : reject(new Error('failed')))),
          ),
      ),
    );
  }

  const enter = (companyId: number) => slots.hold(companyId, () => Promise.resolve('served'));

  it('cannot all be taken by one company', async () => {
    const slow = take(1, SLOTS_OF_COMPANY);
    await expect(enter(1)).rejects.toMatchObject(refused);
    expect(await enter(2)).toBe('served');
    leave.forEach((one) => one('well'));
    await Promise.all(slow);
  });

  it('are bounded in total, for any number of companies', async () => {
    // Each company takes all it can: 600, half of the rest, half of the remaining, and so on to the last one.
    const slow = [600, 450, 225, 112, 56, 28, 14, 7, 4, 2, 1].flatMap((count, at) => take(at + 1, count));
    expect(leave).toHaveLength(SLOTS - 1);
    await expect(enter(12)).rejects.toMatchObject(refused);
    leave[0]!('well');
    await slow[0];
    expect(await enter(12)).toBe('served');
    leave.forEach((one) => one('well'));
    await Promise.all(slow);
  });

  it('are free again after successful and failed uploads', async () => {
    for (const how of ['well', 'badly'] as const) {
      const slow = take(1, SLOTS_OF_COMPANY);
      leave.splice(0).forEach((one) => one(how));
      await Promise.allSettled(slow);
    }
    expect(await enter(1)).toBe('served');
    expect(await Promise.all(Array.from({ length: SLOTS_OF_COMPANY }, () => enter(1)))).toHaveLength(600);
  });
});

import type { Log } from '@counterfoil/observability';
import { SetClock, until } from '@counterfoil/test-harness';
import { GATHERED_MAX, KeyUses } from './key-uses';
import { IdentityRepository, type KeyUse } from './ports/identity.repository';

const MINUTE_MS = 60_000;

describe('the last use of keys', () => {
  let clock: SetClock;
  let uses: KeyUses;
  let written: KeyUse[][];
  let warnings: object[];
  let record: () => Promise<void>;

  beforeEach(() => {
    clock = new SetClock();
    written = [];
    warnings = [];
    record = () => Promise.resolve();
    const identities = Object.assign(Object.create(IdentityRepository.prototype) as IdentityRepository, {
      recordUses: (noted: KeyUse[]) => {
        written.push(noted);
        return record();
      },
    });
    const log = { warn: (fields: object) => void warnings.push(fields) } as unknown as Log;
    uses = new KeyUses(identities, clock, log);
  });

  const note = (apiKeyId: number, lastUsedAt: Date | null = null) => uses.note({ apiKeyId, lastUsedAt });

  it('is written at once, and for many requests and keys together while they come', async () => {
    const first = clock.now();
    for (let request = 0; request < 1_000; request += 1) note(request % 3);
    clock.advance(5);
    note(2);
    expect(written).toEqual([[{ apiKeyId: 0, at: first }]]);
    await until('the second write', () => written.length > 1);
    expect(written.slice(1)).toEqual([
      [
        { apiKeyId: 1, at: first },
        { apiKeyId: 2, at: clock.now() },
        { apiKeyId: 0, at: first },
      ],
    ]);
  });

  it('is not written again within a minute', () => {
    note(1, new Date(clock.now().getTime() - MINUTE_MS + 1));
    note(2, new Date(clock.now().getTime() - MINUTE_MS));
    return uses.beforeApplicationShutdown().then(() => {
      expect(written).toEqual([[{ apiKeyId: 2, at: clock.now() }]]);
    });
  });

  it('takes a bounded memory, and is written before the process ends', async () => {
    for (let apiKeyId = 0; apiKeyId < GATHERED_MAX * 2; apiKeyId += 1) note(apiKeyId);
    await uses.beforeApplicationShutdown();
    expect(written.map(({ length }) => length)).toEqual([1, GATHERED_MAX]);
    await uses.beforeApplicationShutdown();
    expect(written).toHaveLength(2);
  });

  it('may be lost, and is noted again', async () => {
    record = () => Promise.reject(new Error('away'));
    note(1);
    await until('the warning', () => warnings.length > 0);
    expect(warnings).toEqual([{ error: expect.any(Error), keys: 1 }]);
    record = () => Promise.resolve();
    note(1);
    await uses.beforeApplicationShutdown();
    expect(written).toHaveLength(2);
  });
});

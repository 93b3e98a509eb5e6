import type { Sql } from '@counterfoil/database';
import type { Drain } from '../http/drain';
import { HealthController } from './health.controller';

describe('the readiness probe', () => {
  it('queries the database once for concurrent probes', async () => {
    const ping = jest.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 5)));
    const health = new HealthController({ ping } as unknown as Sql, { isUnderWay: false } as Drain);
    const answers = await Promise.all(Array.from({ length: 50 }, () => health.ready()));
    expect(answers).toEqual(answers.map(() => ({ status: 'ok' })));
    expect(ping.mock.calls.length).toBeLessThanOrEqual(2);
  });
});

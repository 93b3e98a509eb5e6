import { queueStores } from '@counterfoil/test-harness';
import { runRotation } from './trials/rotation-run';
import { expectRotated } from './trials/rotation-expectations';

describe('a rotation of SECRETS_KEY, with several processes', () => {
  it('leaves every delivery verifiable, and ends what was issued with the old key only when it is removed', async () => {
    const report = await runRotation(queueStores()[0]!, { deliveries: 500, rows: 1_000, pauseMs: 250 });
    expectRotated(report);
  }, 300_000);
});

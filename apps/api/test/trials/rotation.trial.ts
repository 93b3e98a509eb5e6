import { Figures, queueStores } from '@counterfoil/test-harness';
import { expectRotated, resultOf } from './rotation-expectations';
import { runRotation } from './rotation-run';

const DELIVERIES = 10_000;
const ROWS = 10_000;

describe.each(queueStores())(
  'with the $kind queue, SECRETS_KEY is rotated while events are delivered',
  (store) => {
    it('without a lost or an unverifiable delivery', async () => {
      const figures = new Figures();
      figures.heading(`${store.kind} queue: 2 API processes and 2 workers, ${ROWS} idle endpoints and cards`);
      const report = await runRotation(store, { deliveries: DELIVERIES, rows: ROWS, pauseMs: 50 });
      figures.add('events', report.events);
      figures.add('deliveries', report.deliveries, '', { atLeast: DELIVERIES });
      figures.add('of those, while secrets:rotate ran', report.duringCommands, '', { atLeast: 1 });
      figures.add('deliveries without a valid signature', report.unverifiable, '', { atMost: 0 });
      figures.add('events that an endpoint did not get', report.lost, '', { atMost: 0 });
      figures.add('rows checked by the last secrets:rotate', resultOf(report.runs.at(-1)).rows, '', {
        atLeast: 2 * ROWS,
      });
      figures.add('tables that still need the old key', report.unmoved.length, '', { atMost: 0 });
      expectRotated(report);
      expect(figures.broken).toEqual([]);
    });
  },
);

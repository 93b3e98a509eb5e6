import { Figures } from '@counterfoil/test-harness';
import { feedFigures } from './feed-figures';
import { runFeedModel } from './feed-model';

const CHANGES = 100_000;
const LAG_MAX_MS = 1_000;

describe('the change feed', () => {
  it('misses none of 100,000 changes, and shows each within a second', async () => {
    const figures = new Figures();
    figures.heading(
      'change feed: 8 writers, readers at limits 1, 7, 50 and 200, a foreign transaction held open',
    );
    const report = await runFeedModel(CHANGES);
    const { main, writingMs, drainingMs } = report;
    const found = feedFigures(report);
    figures.add('changes committed', main.changes, '', { atLeast: CHANGES });
    figures.add('documents', main.documents);
    figures.add('calls rolled back', main.refused);
    figures.add('changes a second while all were reading', main.changes / (writingMs / 1_000));
    figures.add('all readers drained after the last change', drainingMs / 1_000, ' s');
    figures.add('times a reader began anew', found.restartsFromBeginning);
    figures.add('drained pages checked for completeness', found.drains);
    figures.add('changes missed', found.missed, '', { atMost: 0 });
    figures.add('rows never committed', found.phantoms, '', { atMost: 0 });
    figures.add('rows older than what the reader had', found.regressions, '', { atMost: 0 });
    figures.add('feed lag, median', found.lagMedianMs, ' ms');
    figures.add('feed lag, largest', found.lagLargestMs, ' ms', { below: LAG_MAX_MS });
    expect(found.problems).toEqual([]);
    expect(figures.broken).toEqual([]);
  });
});

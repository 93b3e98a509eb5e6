import type { CrewReport } from './feed-crew';
import type { FeedReport } from './feed-oracle';
import type { Verdict } from './feed-judgement';

const total = (
  verdicts: readonly Verdict[],
  name: 'missed' | 'phantoms' | 'regressions' | 'drains' | 'restarts',
) => verdicts.reduce((sum, verdict) => sum + verdict[name], 0);

/** What a report comes to, of both companies. */
export function feedFigures({ main, other }: FeedReport) {
  const crews: readonly CrewReport[] = [main, other];
  const verdicts = crews.flatMap((crew) => crew.verdicts);
  const lagsMs = crews.flatMap((crew) => crew.lagsMs).sort((a, b) => a - b);
  return {
    missed: total(verdicts, 'missed'),
    phantoms: total(verdicts, 'phantoms'),
    regressions: total(verdicts, 'regressions'),
    drains: total(verdicts, 'drains'),
    restartsFromBeginning: total(verdicts, 'restarts'),
    lagLargestMs: lagsMs.at(-1) ?? Infinity,
    lagMedianMs: lagsMs[Math.floor(lagsMs.length / 2)] ?? Infinity,
    problems: [...verdicts.flatMap(({ examples }) => examples), ...crews.flatMap(({ faults }) => faults)],
  };
}

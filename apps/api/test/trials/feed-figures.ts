import type { WorkloadReport } from './feed-workload';
import type { FeedReport } from './feed-model';
import type { Verdict } from './feed-checker';

const total = (
  verdicts: readonly Verdict[],
  name: 'missed' | 'phantoms' | 'regressions' | 'drains' | 'restarts',
) => verdicts.reduce((sum, verdict) => sum + verdict[name], 0);

/** The figures of a report, for both companies. */
export function feedFigures({ main, other }: FeedReport) {
  const workloads: readonly WorkloadReport[] = [main, other];
  const verdicts = workloads.flatMap((workload) => workload.verdicts);
  const lagsMs = workloads.flatMap((workload) => workload.lagsMs).sort((a, b) => a - b);
  return {
    missed: total(verdicts, 'missed'),
    phantoms: total(verdicts, 'phantoms'),
    regressions: total(verdicts, 'regressions'),
    drains: total(verdicts, 'drains'),
    restartsFromBeginning: total(verdicts, 'restarts'),
    lagLargestMs: lagsMs.at(-1) ?? Infinity,
    lagMedianMs: lagsMs[Math.floor(lagsMs.length / 2)] ?? Infinity,
    problems: [...verdicts.flatMap(({ examples }) => examples), ...workloads.flatMap(({ faults }) => faults)],
  };
}

import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { RateLimitedSampler } from './sampler';

describe('the sampler with a rate limit', () => {
  let nowMs: number;
  let sampler: RateLimitedSampler;

  const limitedTo = (perSecond: number): void => {
    nowMs = 1_000;
    sampler = new RateLimitedSampler(perSecond, () => nowMs);
  };

  /** Begins `calls` traces at equal intervals. @returns how many of them were sampled */
  const sampledOf = (calls: number, withinMs = 0): number => {
    let sampled = 0;
    for (let call = 0; call < calls; call++) {
      nowMs += withinMs / calls;
      if (sampler.shouldSample().decision === SamplingDecision.RECORD_AND_SAMPLED) sampled += 1;
    }
    return sampled;
  };

  it('samples every trace below its limit', () => {
    limitedTo(50);
    expect(sampledOf(400, 10_000)).toBe(400);
  });

  it('samples no more than its limit above it, and one second of it at once', () => {
    limitedTo(50);
    expect(sampledOf(1_000)).toBe(50);
    expect(sampledOf(4_000, 10_000)).toBe(500);
    nowMs += 60_000;
    expect(sampledOf(1_000)).toBe(50);
  });

  it('samples one trace in two seconds at a half, and none at zero', () => {
    limitedTo(0.5);
    expect(sampledOf(20, 20_000)).toBe(10);
    limitedTo(0);
    expect(sampledOf(100, 20_000)).toBe(0);
  });
});

import type { TracingConfig } from '@counterfoil/config';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

const PARENT_BASED = 'parentbased_';

/** A sampler `parentbased_…` follows the decision of the caller's `traceparent`, if there is one. */
export function samplerOf(config: TracingConfig): Sampler {
  const { sampler } = config;
  if (!sampler.startsWith(PARENT_BASED)) return rootOf(sampler, config);
  return new ParentBasedSampler({ root: rootOf(sampler.slice(PARENT_BASED.length), config) });
}

function rootOf(name: string, { samplingRatio, tracesPerSecond }: TracingConfig): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name === 'ratelimited') return new RateLimitedSampler(tracesPerSecond);
  return new TraceIdRatioBasedSampler(samplingRatio);
}

const SAMPLED: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const LEFT_OUT: SamplingResult = { decision: SamplingDecision.NOT_RECORD };

/**
 * Samples every trace up to a number in a second, and leaves out the others. So a quiet service is traced completely,
 * and a busy one pays a bounded price (ADR 0050). At most one second of unused traces is saved for
 * later.
 */
export class RateLimitedSampler implements Sampler {
  private left: number;
  private countedAt: number;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.left = perSecond;
    this.countedAt = now();
  }

  shouldSample(): SamplingResult {
    const now = this.now();
    const earned = ((now - this.countedAt) / 1_000) * this.perSecond;
    this.left = Math.min(Math.max(1, this.perSecond), this.left + earned);
    this.countedAt = now;
    if (this.left < 1) return LEFT_OUT;
    this.left -= 1;
    return SAMPLED;
  }

  toString(): string {
    return `RateLimitedSampler{${this.perSecond}}`;
  }
}

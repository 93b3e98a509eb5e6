import type { TracingConfig } from '@counterfoil/config';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

const PARENT_BASED = 'parentbased_';

/** A sampler `parentbased_…` follows the decision of the caller's `traceparent`, if there is one. */
export function samplerOf({ sampler, samplingRatio }: TracingConfig): Sampler {
  if (!sampler.startsWith(PARENT_BASED)) return rootOf(sampler, samplingRatio);
  return new ParentBasedSampler({ root: rootOf(sampler.slice(PARENT_BASED.length), samplingRatio) });
}

function rootOf(name: string, ratio: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  return name === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

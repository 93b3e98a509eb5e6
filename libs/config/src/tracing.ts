import type { TracingConfig } from './config';
import { OTLP_PROTOCOLS, TRACE_SAMPLERS } from './config';
import type { EnvironmentReader } from './environment-reader';

const SIGNAL_PATH = 'v1/traces';
const HTTP = ['http:', 'https:'];

/**
 * Reads the standard variables of OpenTelemetry (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). Without
 * an endpoint, nothing is traced. Validates every variable also then.
 */
export function readTracing(read: EnvironmentReader): TracingConfig | null {
  const endpoint = readEndpoint(read);
  const sampler = read.oneOf('OTEL_TRACES_SAMPLER', TRACE_SAMPLERS, 'parentbased_ratelimited');
  const settings = {
    protocol: read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', OTLP_PROTOCOLS, 'http/protobuf'),
    headers: {
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    serviceName: read.optionalText('OTEL_SERVICE_NAME'),
    resourceAttributes: readPairs(read, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampler,
    ...readSamplerArgument(read, sampler),
  };
  return endpoint === null ? null : { endpoint, ...settings };
}

/** The variable of the signal is the whole URL. To the other one, the path of the signal is appended. */
function readEndpoint(read: EnvironmentReader): string | null {
  const base = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', HTTP);
  const own = read.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', HTTP);
  if (own !== null || base === null) return own;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${SIGNAL_PATH}`;
  return url.href;
}

/** Reads `name=value` pairs separated by commas, whose values may be percent-encoded. */
function readPairs(read: EnvironmentReader, name: string): Readonly<Record<string, string>> {
  const raw = read.optionalText(name);
  if (raw === null) return {};
  const pairs = raw.split(',').map(pairOf);
  if (pairs.every((pair) => pair !== null)) return Object.fromEntries(pairs);
  // The message must not contain the value, which may be a secret.
  return read.fault(`${name} must be pairs separated by commas, such as name=value,other=value`, {});
}

function pairOf(text: string): readonly [name: string, value: string] | null {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(at, 0)).trim();
  try {
    return name === '' ? null : [name, decodeURIComponent(text.slice(at + 1).trim())];
  } catch {
    return null;
  }
}

const ARGUMENT = 'OTEL_TRACES_SAMPLER_ARG';
const ALL = 1;
/** Enough to trace every request of a small service, and little beside the throughput of a large one. */
const TRACES_PER_SECOND = 50;
const TRACES_PER_SECOND_MAX = 10_000;

/** The meaning of the variable depends on the sampler. Samplers without an argument ignore it, but it must be valid. */
function readSamplerArgument(
  read: EnvironmentReader,
  sampler: TracingConfig['sampler'],
): Pick<TracingConfig, 'samplingRatio' | 'tracesPerSecond'> {
  if (!sampler.endsWith('ratelimited'))
    return { samplingRatio: readNumber(read, ALL, ALL), tracesPerSecond: TRACES_PER_SECOND };
  const tracesPerSecond = readNumber(read, TRACES_PER_SECOND, TRACES_PER_SECOND_MAX);
  return { samplingRatio: ALL, tracesPerSecond };
}

function readNumber(read: EnvironmentReader, fallback: number, max: number): number {
  const raw = read.optionalText(ARGUMENT);
  const number = Number(raw ?? fallback);
  if (number >= 0 && number <= max) return number;
  return read.fault(`${ARGUMENT} must be a number from 0 to ${max}, not ${JSON.stringify(raw)}`, fallback);
}

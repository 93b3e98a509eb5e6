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
  const settings = {
    protocol: read.oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', OTLP_PROTOCOLS, 'http/protobuf'),
    headers: {
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...readPairs(read, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    serviceName: read.optionalText('OTEL_SERVICE_NAME'),
    resourceAttributes: readPairs(read, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampler: read.oneOf('OTEL_TRACES_SAMPLER', TRACE_SAMPLERS, 'parentbased_always_on'),
    samplingRatio: readRatio(read, 'OTEL_TRACES_SAMPLER_ARG'),
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

function readRatio(read: EnvironmentReader, name: string): number {
  const raw = read.optionalText(name);
  const ratio = Number(raw ?? 1);
  if (ratio >= 0 && ratio <= 1) return ratio;
  return read.fault(`${name} must be a number from 0 to 1, not ${JSON.stringify(raw)}`, 1);
}

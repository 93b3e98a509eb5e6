import { faultsOf, givenConfig } from './testing/given-config';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const tracingOf = (env: Readonly<Record<string, string>>) => givenConfig(env).tracing;

describe('tracing', () => {
  it('is off without an endpoint, whatever else is set, and with an empty one', () => {
    expect(tracingOf({ OTEL_SERVICE_NAME: 'books', OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
    expect(
      tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '' }),
    ).toBeNull();
  });

  it('has the defaults of OpenTelemetry, and a limit of traces', () => {
    expect(tracingOf(ENDPOINT)).toEqual({
      endpoint: 'http://collector:4318/v1/traces',
      protocol: 'http/protobuf',
      headers: {},
      serviceName: null,
      resourceAttributes: {},
      sampler: 'parentbased_ratelimited',
      samplingRatio: 1,
      tracesPerSecond: 50,
    });
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.com/otlp/' },
      'https://otlp.example.com/otlp/v1/traces',
    ],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://tempo:4318/own' }, 'http://tempo:4318/own'],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://tempo:4318/own' }, 'http://tempo:4318/own'],
  ])('exports with %j to %s', (env, endpoint) => {
    expect(tracingOf(env)).toMatchObject({ endpoint });
  });

  it('reads pairs, whose values may be encoded, and prefers those of traces', () => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x-team=books',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=traces',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,team=a%2Cb',
    };
    expect(tracingOf({ ...ENDPOINT, ...env })).toMatchObject({
      headers: { authorization: 'Basic YTpi==', 'x-team': 'traces' },
      resourceAttributes: { 'deployment.environment.name': 'staging', team: 'a,b' },
    });
  });

  it('reads the sampler', () => {
    const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(tracingOf({ ...ENDPOINT, ...env })).toMatchObject({
      sampler: 'parentbased_traceidratio',
      samplingRatio: 0.25,
    });
  });

  it('reads the limit of traces', () => {
    const env = { OTEL_TRACES_SAMPLER: 'ratelimited', OTEL_TRACES_SAMPLER_ARG: '200' };
    expect(tracingOf({ ...ENDPOINT, ...env })).toMatchObject({
      sampler: 'ratelimited',
      tracesPerSecond: 200,
    });
  });

  it('refuses an argument that the sampler cannot use', () => {
    const env = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' };
    expect(faultsOf(env)).toEqual([expect.stringContaining('must be a number from 0 to 1, not "2"')]);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be a URL'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', 'some', 'must be a number from 0 to 10000'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team', 'must be pairs'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'team=%zz', 'must be pairs'],
  ])('refuses %s=%s', (name, value, fault) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringContaining(`${name} ${fault}`)]);
  });

  it('does not show the headers in its refusal', () => {
    const [fault] = faultsOf({ OTEL_EXPORTER_OTLP_HEADERS: 'top-secret' });
    expect(fault).toContain('OTEL_EXPORTER_OTLP_HEADERS must be pairs');
    expect(fault).not.toContain('top-secret');
  });
});

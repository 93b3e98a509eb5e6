import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '@counterfoil/config';
import { parse, parseAllDocuments } from 'yaml';
import { API_ROUTES } from './api-routes';

const ROOT = path.resolve(__dirname, '../../..');
const FOLDER = path.join(ROOT, 'deploy/kubernetes');
const BASE = path.join(FOLDER, 'base');
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly configMapKeyRef?: { readonly name: string; readonly key: string } };
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly restartPolicy?: string;
  readonly env: readonly Variable[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly securityContext: object;
  readonly resources: {
    readonly requests: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<'cpu' | 'memory', string>>;
  };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string };
  readonly secret?: { readonly secretName: string };
  readonly projected?: { readonly sources: readonly { readonly secret: { readonly name: string } }[] };
  readonly persistentVolumeClaim?: object;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes: readonly Volume[];
  readonly securityContext: object;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds?: number;
}

type Labels = Readonly<Record<string, string>>;
interface Selector {
  readonly matchLabels: Labels;
}

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: Selector & Labels;
    readonly podSelector: Selector;
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
    readonly ports: readonly { readonly targetPort: string }[];
    readonly egress: readonly {
      readonly to?: readonly { readonly ipBlock?: { readonly except: string[] } }[];
    }[];
    readonly scaleTargetRef: { readonly name: string };
    readonly metrics: readonly {
      readonly external: { readonly metric: { readonly name: string; readonly selector: Selector } };
    }[];
  };
}

const objects = fs
  .readdirSync(BASE)
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(fs.readFileSync(path.join(BASE, name), 'utf8')))
  .map((document) => document.toJS() as KubernetesObject);
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
const named = (kind: string, name: string) => ofKind(kind).find(({ metadata }) => metadata.name === name)!;
const workloads = [...ofKind('Deployment'), ...ofKind('Job')];
const pods = workloads.map((object) => [object.metadata.name, object.spec.template.spec] as const);
const all = ({ initContainers = [], containers }: PodSpec) => [...initContainers, ...containers];
const containers = pods.flatMap(([, pod]) =>
  all(pod).map((container) => [container.name, container, pod] as const),
);
const container = (name: string) => containers.find(([one]) => one === name)![1];

const compose = parse(read('docker/compose.yaml'), { merge: true }) as {
  readonly services: Readonly<
    Record<string, { readonly command: readonly string[]; readonly mem_limit: string; readonly cpus: number }>
  >;
};

const DOCUMENTED = new Set(
  [...read('docs/configuration.md').matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name = '']) => name),
);
const SECRETS = [...DOCUMENTED].filter((name) => DOCUMENTED.has(`${name}_FILE`));
const config = loadConfig({ DATABASE_URL: 'postgres://db/x', SECRETS_KEY: 'k'.repeat(32) });

const MISTAKES = [
  ['readOnlyRootFilesystem: true', 'readOnlyRootFileSystem: true', /readOnlyRootFileSystem/],
  ['containerPort: 3000', 'containerPort: http', /'string' is not assignable to type 'number'/],
  ['apiVersion: apps/v1', 'apiVersion: apps/v2', /unknown apiVersion apps\/v2/],
] as const;

describe('the kustomize base', () => {
  it('is what the present chart renders', () => {
    const lines = fs.readFileSync(path.join(BASE, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const sumOf = (file: string) => createHash('sha256').update(fs.readFileSync(file)).digest('hex');
    const changed = lines.filter((line) => {
      const [sum = '', name = ''] = line.split('  ');
      return sumOf(path.join(BASE, name)) !== sum;
    });
    expect(changed).toEqual([]); // `npm run kubernetes` renders it
    const chart = fs.readdirSync(path.join(FOLDER, 'chart'), { recursive: true, withFileTypes: true });
    const listed = lines.filter((line) => line.includes('  ../chart/')).length;
    expect(listed).toBe(chart.filter((entry) => entry.isFile()).length);
  });

  it('has a resource for each rendered file', () => {
    const { resources } = parse(fs.readFileSync(path.join(BASE, 'kustomization.yaml'), 'utf8')) as {
      readonly resources: readonly string[];
    };
    const rendered = fs
      .readdirSync(BASE)
      .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
    expect(resources).toEqual(rendered.sort());
  });

  const typeErrors = (...files: string[]) =>
    spawnSync(process.execPath, [path.join(ROOT, 'tools/kubernetes/type-errors.mjs'), ...files], {
      encoding: 'utf8',
    });

  it('has only fields that Kubernetes knows', () => {
    const files = fs.readdirSync(BASE).filter((name) => name.endsWith('.yaml'));
    const { status, stderr } = typeErrors(...files.map((name) => path.join(BASE, name)));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('would notice an unknown field, a value of the wrong type, and an unknown version', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-kubernetes-'));
    const right = fs.readFileSync(path.join(BASE, 'api.yaml'), 'utf8');
    try {
      const files = MISTAKES.map(([from, to], index) => {
        const file = path.join(folder, `${index}.yaml`);
        fs.writeFileSync(file, right.replace(from, to));
        return file;
      });
      const { status, stderr } = typeErrors(...files);
      expect(status).toBe(1);
      for (const [, , message] of MISTAKES) expect(stderr).toMatch(message);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});

describe('the chart', () => {
  it('has the version of the service', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string };
    expect(parse(read('deploy/kubernetes/chart/Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  it('refuses secrets among the plain values, and what the templates set', () => {
    const schema = JSON.parse(read('deploy/kubernetes/chart/values.schema.json')) as {
      readonly properties: {
        readonly config: { readonly propertyNames: { readonly not: { readonly enum: string[] } } };
      };
    };
    const refused = schema.properties.config.propertyNames.not.enum;
    expect(SECRETS.length).toBeGreaterThan(5);
    expect(refused).toEqual(expect.arrayContaining(SECRETS));
    const set = containers.flatMap(([, { env }]) => env.filter(({ value }) => value !== undefined));
    const plain = set.map(({ name }) => name).filter((name) => !name.endsWith('_FILE'));
    expect(refused).toEqual(expect.arrayContaining(plain));
  });
});

describe.each(pods)('the pod of %s', (name, pod) => {
  it('meets the restricted pod security standard, and has no access to the API of the cluster', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    for (const { name: volume, ...source } of pod.volumes) {
      expect([volume, Object.keys(source)]).toEqual([
        volume,
        [expect.stringMatching(/^(emptyDir|secret|projected|persistentVolumeClaim)$/)],
      ]);
      if (source.emptyDir) expect(source.emptyDir.sizeLimit).toMatch(/^\d+[MG]i$/);
    }
  });

  it('has a network policy of its own', () => {
    const { labels } = workloads.find(({ metadata }) => metadata.name === name)!.spec.template.metadata;
    const policies = ofKind('NetworkPolicy').filter(({ spec }) =>
      Object.entries(spec.podSelector.matchLabels).every(([label, value]) => labels[label] === value),
    );
    expect(policies.map(({ metadata }) => metadata.name)).toEqual([name]);
  });

  it('mounts the volumes that it has', () => {
    const mounted = all(pod).flatMap(({ volumeMounts }) => volumeMounts.map((mount) => mount.name));
    expect(new Set(mounted)).toEqual(new Set(pod.volumes.map((volume) => volume.name)));
  });
});

describe.each(containers)('the container %s', (_, { image, env, resources, securityContext, ...more }) => {
  it('can neither write its root file system nor gain privileges', () => {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('asks for resources, and has limits', () => {
    for (const part of [resources.requests, resources.limits])
      expect(part).toEqual({ cpu: expect.any(String), memory: expect.stringMatching(/^\d+[MG]i$/) });
  });

  it('uses the image of the chart, whose tag is the version', () => {
    const { appVersion } = parse(read('deploy/kubernetes/chart/Chart.yaml')) as {
      readonly appVersion: string;
    };
    expect(image).toBe(`counterfoil:${appVersion}`);
  });

  it('sets only variables that exist, and secrets only as files', () => {
    expect(env.filter(({ name }) => !DOCUMENTED.has(name))).toEqual([]);
    expect(env.filter(({ name }) => SECRETS.includes(name))).toEqual([]);
    const files = env.filter(({ name }) => name.endsWith('_FILE'));
    for (const { value } of files) expect(value).toMatch(/^\/etc\/counterfoil\/[a-z-]+$/);
    const mounts = more.volumeMounts.filter(({ mountPath }) => mountPath === '/etc/counterfoil');
    expect(mounts).toHaveLength(files.length > 0 ? 1 : 0);
  });
});

describe('API, worker and reader', () => {
  it('listen on the default ports, since the ConfigMap cannot change them', () => {
    const ports = (name: string) => (container(name).ports ?? []).map((port) => port.containerPort);
    expect(ports('api')).toEqual([config.port, config.metricsPort]);
    expect(ports('worker')).toEqual([config.workerMetricsPort]);
    expect(named('Service', 'counterfoil-api').spec.ports).toEqual([
      { name: 'http', port: 80, targetPort: 'http' },
    ]);
  });

  it.each(['api', 'worker'])('the probes of the %s are routes that exist', (name) => {
    const { startupProbe, readinessProbe, livenessProbe, ports, env } = container(name);
    const [port] = ports!;
    const asked = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
    expect(asked).toEqual(
      ['/health/live', '/health/live', '/health/ready'].map((one) => ({ path: one, port: port!.name })),
    );
    const known = API_ROUTES.map((route) => route.path);
    const management = read('libs/observability/src/management-server.ts');
    for (const probe of asked)
      expect(name === 'api' ? known.includes(probe!.path) : management.includes(`'${probe!.path}'`)).toBe(
        true,
      );
    // The image listens on loopback by default.
    expect(env).toContainEqual({ name: 'METRICS_HOST', value: '0.0.0.0' });
  });

  it('have the limits of the compose file', () => {
    const bytes = (text: string) => text.replace(/g$/, 'Gi').replace(/m$/, 'Mi');
    for (const [name, service] of [
      ['api', 'api'],
      ['worker', 'worker'],
      ['reader', 'reader'],
      ['migration', 'migrate'],
    ] as const) {
      const { mem_limit: memory, cpus } = compose.services[service]!;
      expect([name, container(name).resources.limits]).toEqual([
        name,
        { memory: bytes(memory), cpu: String(cpus) },
      ]);
    }
  });

  it('run the commands of the compose file', () => {
    expect(container('api').command).toBeUndefined();
    expect(container('worker').command).toEqual(compose.services['worker']!.command);
    expect(container('reader').command).toEqual(compose.services['reader']!.command);
    expect(container('migration').command).toEqual(compose.services['migrate']!.command);
  });

  it('have more time to stop than the 10 seconds that they need', () => {
    for (const { spec } of ofKind('Deployment'))
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });
});

describe('the reader', () => {
  const reader = container('reader');

  it('is a sidecar of the worker, which never reads receipts itself', () => {
    const { initContainers } = named('Deployment', 'counterfoil-worker').spec.template.spec;
    expect(initContainers?.map(({ name, restartPolicy }) => ({ name, restartPolicy }))).toEqual([
      { name: 'reader', restartPolicy: 'Always' },
    ]);
    const socket = reader.env.find(({ name }) => name === 'READER_SOCKET');
    expect(container('worker').env).toEqual(
      expect.arrayContaining([socket, { name: 'READER_SANDBOX', value: 'require' }]),
    );
  });

  it('gets no secret, no configuration beside its own, and no file of customers', () => {
    expect(reader.envFrom).toBeUndefined();
    expect(reader.env.map(({ name }) => name)).toEqual(['READER_SOCKET', 'EXTRACTION_TIMEOUT', 'LOG_LEVEL']);
    const { volumes } = named('Deployment', 'counterfoil-worker').spec.template.spec;
    const mounted = reader.volumeMounts.map(({ name }) => volumes.find((volume) => volume.name === name));
    expect(mounted.map((volume) => volume?.emptyDir?.medium)).toEqual(['Memory', 'Memory', 'Memory']);
  });
});

describe('the migration', () => {
  it('alone gets the role that owns the tables', () => {
    const withOwner = containers.filter(([, { env }]) =>
      env.some(({ name }) => name === 'MIGRATION_DATABASE_URL_FILE'),
    );
    expect(withOwner.map(([name]) => name)).toEqual(['migration']);
    const secrets = (pod: PodSpec) =>
      pod.volumes.flatMap(({ secret, projected }) => [
        ...(secret ? [secret.secretName] : []),
        ...(projected?.sources.map((source) => source.secret.name) ?? []),
      ]);
    expect(Object.fromEntries(pods.map(([name, pod]) => [name, secrets(pod)]))).toEqual({
      'counterfoil-api': ['counterfoil'],
      'counterfoil-worker': ['counterfoil'],
      'counterfoil-migration': ['counterfoil', 'counterfoil-migration'],
    });
  });

  it('is the command that the documentation names', () => {
    const command = container('migration').command!.filter((word) => !word.startsWith('--'));
    expect(read('docs/operations.md')).toContain(`\`${command.join(' ')}\``);
  });
});

describe('the autoscaler of the workers', () => {
  const { scaleTargetRef, metrics } = named('HorizontalPodAutoscaler', 'counterfoil-worker').spec;

  it('scales by a metric that the worker has, and by kinds of work that it counts', () => {
    expect(named('Deployment', scaleTargetRef.name)).toBeDefined();
    const page = read('docs/operations.md');
    const [, table = ''] = page.split('\n| `work`');
    const [rows = ''] = table.split('\n\n');
    for (const { external } of metrics) {
      expect(page).toContain(`\n| \`${external.metric.name}\` `);
      expect(rows).toContain(`\n| \`${external.metric.selector.matchLabels['work']}\` `);
    }
    expect(metrics.length).toBeGreaterThan(0);
  });

  it('finds the metric by the rule for the adapter', () => {
    const { rules } = parse(read('deploy/prometheus/adapter-values.yaml')) as {
      readonly rules: {
        readonly external: readonly {
          readonly seriesQuery: string;
          readonly name: { readonly as: string };
        }[];
      };
    };
    const names = new Set(metrics.map(({ external }) => external.metric.name));
    expect(new Set(rules.external.map(({ name }) => name.as))).toEqual(names);
    for (const { seriesQuery, name } of rules.external)
      expect(seriesQuery).toMatch(new RegExp(`^${name.as}\\{`));
  });

  it('has a deployment without a number of replicas, which each update would restore', () => {
    expect(named('Deployment', 'counterfoil-worker').spec).not.toHaveProperty('replicas');
  });
});

it('the network policies keep the service from private networks', () => {
  const blocks = ofKind('NetworkPolicy').flatMap(({ spec }) =>
    spec.egress.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : []))),
  );
  expect(blocks.length).toBeGreaterThan(0);
  const [v4, v6] = ['10.0.0.0/8', 'fc00::/7'].map((one) =>
    blocks.filter(({ except }) => except.includes(one)),
  );
  expect(v4!.length + v6!.length).toBe(blocks.length);
  for (const { except } of v4!)
    expect(except).toEqual(expect.arrayContaining(['169.254.0.0/16', '192.168.0.0/16']));
});

it('every selector finds the pods of one workload', () => {
  const selectors = [
    ...ofKind('Service').map(({ metadata, spec }) => [metadata.name, spec.selector as Labels] as const),
    ...[...ofKind('PodDisruptionBudget'), ...ofKind('Deployment')].map(
      ({ metadata, spec }) => [metadata.name, spec.selector.matchLabels] as const,
    ),
  ];
  for (const [name, labels] of selectors) {
    const found = workloads.filter(({ spec }) =>
      Object.entries(labels).every(([label, value]) => spec.template.metadata.labels[label] === value),
    );
    expect([name, found.map(({ metadata }) => metadata.name)]).toEqual([name, [name]]);
  }
});

it('no Secret is among the objects: the operator creates them', () => {
  expect(ofKind('Secret')).toEqual([]);
});

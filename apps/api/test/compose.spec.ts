import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfig } from '@counterfoil/config';
import { parse } from 'yaml';

const FOLDER = path.resolve(__dirname, '../../../docker');
const BY_DIGEST = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

interface Service {
  readonly image?: string;
  readonly build?: object;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly init?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly privileged?: boolean;
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly mem_limit?: string;
  readonly cpus?: number;
  readonly pids_limit?: number;
  readonly restart?: string;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly network_mode?: string;
  readonly profiles?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly environment?: Readonly<Record<string, string>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<
    Record<string, { readonly driver_opts?: Readonly<Record<string, string>> } | null>
  >;
}

const compose = parse(fs.readFileSync(path.join(FOLDER, 'compose.yaml'), 'utf8'), {
  merge: true,
}) as Compose;
const services = Object.entries(compose.services);
/** Built by one service from this checkout, and used by the others under the same name. */
const OWN_IMAGE = 'counterfoil';
/** Services that run once and exit at each `up`. */
const TASKS = services.filter(([, { restart }]) => restart === 'no').map(([name]) => name);

const REQUIRED = /\$\{(\w+):\?/g;

it.each(['README.md', 'docker/README.md'])('%s sets each variable that it requires', (page) => {
  const file = fs.readFileSync(path.join(FOLDER, 'compose.yaml'), 'utf8');
  const required = new Set([...file.matchAll(REQUIRED)].map(([, name = '']) => name));
  const text = fs.readFileSync(path.join(FOLDER, '..', page), 'utf8');
  expect([...required].filter((name) => !text.includes(`${name}=`))).toEqual([]);
  expect(required.size).toBe(3);
});

describe.each(services)('the service %s', (name, service) => {
  it('can neither write its root file system nor gain privileges', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: expect.arrayContaining(['no-new-privileges:true']),
    });
    expect(service.cap_add).toBeUndefined();
    expect(service.privileged).toBeUndefined();
  });

  it('runs as a user other than root', () => {
    expect(service.user).toMatch(/^[a-z1-9]/);
    expect(service.user).not.toMatch(/^root/);
  });

  it('has limits for memory, processors and processes', () => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.cpus).toBeGreaterThan(0);
    expect(service.pids_limit).toBeGreaterThan(0);
  });

  it('has temporary folders with a limited size', () => {
    expect(service.tmpfs).toContainEqual(expect.stringMatching(/^\/tmp:/));
    for (const folder of service.tmpfs ?? []) expect(folder).toMatch(/:size=\d+[mg],/);
  });

  it('restarts when it ends, unless it is a task, and has a health check', () => {
    if (TASKS.includes(name)) return expect(service.healthcheck).toEqual({ disable: true });
    expect(service.restart).toBe('unless-stopped');
    expect(service.healthcheck?.disable).toBeUndefined();
    if (service.image !== OWN_IMAGE) expect(service.healthcheck?.test?.[0]).toBe('CMD');
    return undefined;
  });

  it('uses an image by digest, or the one built here', () => {
    if (service.image === OWN_IMAGE) return;
    expect(service.image).toMatch(BY_DIGEST);
  });

  it('stores its data in named volumes, and sees nothing of the host', () => {
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      expect(Object.keys(compose.volumes)).toContain(source);
    }
  });

  it('can be reached only through loopback, unless an operator changes that', () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^\$\{\w+_BIND:-127\.0\.0\.1\}:/);
  });
});

it('only the service migrate is a task', () => {
  expect(TASKS).toEqual(['migrate']);
  expect(services.map(([name]) => name)).toEqual(
    expect.arrayContaining(['postgres', 'valkey', 'api', 'worker']),
  );
});

it("receipts are read in a container without network and secrets, and not as the worker's user", () => {
  const { worker, reader } = compose.services;
  const socket = reader?.environment?.['READER_SOCKET'];
  expect(socket).toMatch(/^\/run\//);
  expect(worker?.environment).toMatchObject({ READER_SOCKET: socket, READER_SANDBOX: 'require' });
  expect(reader?.network_mode).toBe('none');
  expect(reader?.volumes).toHaveLength(1);
  expect(Object.keys(reader?.environment ?? {})).toEqual([
    'READER_SOCKET',
    'EXTRACTION_TIMEOUT',
    'LOG_LEVEL',
  ]);
});

it.each(['api', 'worker'])('the service %s is process 1, which erases its secrets itself', (name) => {
  expect(compose.services[name]?.environment).toHaveProperty('SECRETS_KEY');
  expect(compose.services[name]?.init).toBeUndefined();
});

it('the reader, which starts processes, has an init that reaps them', () => {
  expect(compose.services['reader']?.init).toBe(true);
});

it('the socket volume has limited memory, so the reader cannot fill a disk', () => {
  expect(compose.volumes['reader-socket']?.driver_opts).toMatchObject({
    type: 'tmpfs',
    o: expect.stringMatching(/^size=\d+m,mode=0750,uid=1000,gid=1000$/),
  });
});

it('the worker has the memory that its documents may need', () => {
  expect(compose.services['worker']?.mem_limit).toBe('2g');
});

describe('the profile monitoring', () => {
  const { prometheus, grafana } = compose.services;
  /** The file of the repository that a service sees at a path. */
  const fileAt = (service: Service | undefined, target: string) => {
    const source = service?.configs?.find((config) => config.target === target)?.source ?? '';
    return path.join(FOLDER, compose.configs[source]?.file ?? 'none');
  };
  const read = <T>(service: Service | undefined, target: string) =>
    parse(fs.readFileSync(fileAt(service, target), 'utf8')) as T;

  it('has Prometheus and Grafana, which nothing else starts', () => {
    const profiles = services.filter(([, service]) => service.profiles).map(([name]) => name);
    expect(profiles).toEqual(['prometheus', 'grafana']);
    for (const service of [prometheus, grafana]) expect(service?.profiles).toEqual(['monitoring']);
  });

  it('mounts only files that exist, each once', () => {
    const used = services.flatMap(([, service]) => service.configs?.map(({ source }) => source) ?? []);
    expect(used.sort()).toEqual(Object.keys(compose.configs).sort());
    for (const { file } of Object.values(compose.configs))
      expect([file, fs.existsSync(path.join(FOLDER, file))]).toEqual([file, true]);
  });

  const CONFIG = '/etc/prometheus/prometheus.yml';

  it('collects the metrics of API and worker, under the names that the alerts know', () => {
    const { scrape_configs: jobs } = read<{
      readonly scrape_configs: readonly {
        readonly job_name: string;
        readonly dns_sd_configs: readonly { readonly names: readonly string[]; readonly port: number }[];
      }[];
    }>(prometheus, CONFIG);
    const { metricsPort, workerMetricsPort } = loadConfig({
      DATABASE_URL: 'postgres://db/x',
      SECRETS_KEY: 'k'.repeat(32),
    });
    const targets = jobs.map((job) => [
      job.job_name,
      ...job.dns_sd_configs.map(({ names, port }) => [...names, port]),
    ]);
    expect(targets).toEqual([
      ['counterfoil-api', ['api', metricsPort]],
      ['counterfoil-worker', ['worker', workerMetricsPort]],
    ]);
    for (const name of ['api', 'worker'])
      expect(compose.services[name]?.environment).toMatchObject({ METRICS_HOST: '0.0.0.0' });
    const alerts = fs.readFileSync(fileAt(prometheus, '/etc/prometheus/alerts.yml'), 'utf8');
    expect(alerts).toContain('job=~"counterfoil-(api|worker)"');
  });

  it('loads the alert rules', () => {
    const { rule_files: rules } = read<{ readonly rule_files: readonly string[] }>(prometheus, CONFIG);
    for (const rule of rules) expect(fileAt(prometheus, `/etc/prometheus/${rule}`)).toMatch(/alerts\.yml$/);
    expect(prometheus?.command).toContain(`--config.file=${CONFIG}`);
  });

  it('shows the dashboard, on the data of Prometheus', () => {
    const folder = '/etc/grafana/provisioning';
    const { datasources } = read<{ readonly datasources: readonly { readonly url: string }[] }>(
      grafana,
      `${folder}/datasources/counterfoil.yaml`,
    );
    expect(datasources.map(({ url }) => url)).toEqual(['http://prometheus:9090']);
    const { providers } = read<{
      readonly providers: readonly { readonly options: { readonly path: string } }[];
    }>(grafana, `${folder}/dashboards/counterfoil.yaml`);
    const dashboard = `${providers[0]?.options.path}/counterfoil.json`;
    expect(grafana?.environment).toMatchObject({ GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH: dashboard });
    expect(fileAt(grafana, dashboard)).toBe(path.resolve(FOLDER, '../deploy/grafana/counterfoil.json'));
  });

  it('lets nobody log in to Grafana, which has no password', () => {
    expect(grafana?.environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
      GF_AUTH_DISABLE_LOGIN_FORM: 'true',
      GF_AUTH_BASIC_ENABLED: 'false',
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
    });
  });
});

describe('the image', () => {
  const lines = fs.readFileSync(path.join(FOLDER, 'Dockerfile'), 'utf8').split('\n');
  const instructions = (name: string) => lines.filter((line) => line.startsWith(`${name} `));

  it('has a base by digest, named once for all stages', () => {
    const [argument = ''] = instructions('ARG');
    expect(argument).toMatch(/^ARG NODE_IMAGE=/);
    expect(argument.split('=')[1]).toMatch(BY_DIGEST);
    expect(instructions('FROM')).toEqual(['FROM ${NODE_IMAGE} AS build', 'FROM ${NODE_IMAGE}']);
  });

  it('contains what runs, and neither sources, tests nor package managers', () => {
    const stage = lines.slice(lines.lastIndexOf('FROM ${NODE_IMAGE}'));
    const copied = stage
      .filter((line) => line.startsWith('COPY '))
      .flatMap((line) => line.split(' ').slice(1, -1))
      .filter((word) => !word.startsWith('--'));
    expect(copied).toEqual([
      ...['package.json', 'docker/healthcheck.mjs', '/app/node_modules', '/app/dist'],
      ...[
        'docs/*.md',
        'docs/openapi.json',
        'docs/contract/*.md',
        'docs/pictures/*.png',
        'docs/pictures/*.webp',
      ],
    ]);
    expect(stage.find((line) => line.startsWith('RUN rm -rf '))).toContain(' /usr/local/lib/node_modules ');
    const ignored = fs.readFileSync(path.join(FOLDER, '../.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['*', '**/*.spec.ts', '**/test', '**/testing']));
  });

  it('can be built for each platform: every binary of a package is there for x64 and for arm64', () => {
    const { packages } = JSON.parse(fs.readFileSync(path.join(FOLDER, '../package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly cpu?: string[] }>>;
    };
    const of = (cpu: string) =>
      Object.entries(packages)
        .filter(([name, entry]) => !entry.dev && entry.cpu?.includes(cpu) && /linux/.test(name))
        .map(([name]) => name.replace(cpu, 'CPU'))
        .sort();
    expect(of('x64').length).toBeGreaterThan(0);
    expect(of('arm64')).toEqual(of('x64'));
  });

  it('runs as a user other than root, and has a health check', () => {
    expect(instructions('USER')).toEqual(['USER node']);
    expect(instructions('HEALTHCHECK')).toHaveLength(1);
  });

  it('checks its health without the secrets of the container', () => {
    const [, command = ''] = /^HEALTHCHECK .*? CMD (.+)$/m.exec(lines.join('\n')) ?? [];
    const exec = command.startsWith('[') ? (JSON.parse(command) as string[]) : ['sh', '-c', command];
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-health-'));
    try {
      const script = "process.stdout.write(fs.readFileSync('/proc/self/environ', 'utf8'))";
      fs.writeFileSync(path.join(folder, 'healthcheck.mjs'), `import fs from 'node:fs'; ${script}`);
      const env = {
        PATH: process.env['PATH'],
        PORT: '3100',
        SECRETS_KEY: 'hunter2',
        AWS_SESSION_TOKEN: 'hunter2',
      };
      const shown = execFileSync(exec[0]!, exec.slice(1), { cwd: folder, env, encoding: 'utf8' });
      expect(shown).toContain('PORT=3100\0');
      expect(shown).not.toContain('hunter2');
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('starts the API with the options that it has under npm start', () => {
    const options = (command: readonly string[]) => command.filter((word) => word.startsWith('--max'));
    const [cmd = ''] = instructions('CMD');
    const source = (file: string) => fs.readFileSync(path.join(FOLDER, '..', file), 'utf8');
    const [, flags = ''] =
      /^export const API_FLAGS = \['(.+)'\];$/m.exec(source('tools/lib/versioned-code.mjs')) ?? [];
    expect(flags).toMatch(/^--max-semi-space-size=\d+$/);
    expect(options(JSON.parse(cmd.replace('CMD ', '')) as string[])).toEqual([flags]);
    expect(options(compose.services['api']?.command ?? [])).toEqual([flags]);
    expect(source('libs/test-harness/src/service-process.ts')).toContain(`api: ['${flags}']`);
  });

  it('installs only production packages, without their scripts', () => {
    const installs = lines.filter((line) => /\bnpm (ci|install)\b/.test(line));
    expect(installs).toHaveLength(1);
    expect(installs[0]).toContain('npm ci --omit=dev --ignore-scripts');
    expect(installs[0]).toContain('npm cache clean --force');
  });

  it('is built by the frontend of the local BuildKit, without fetching another', () => {
    expect(lines.filter((line) => /^#\s*syntax\s*=/i.test(line))).toEqual([]);
  });

  it('gets no secret when it is built', () => {
    expect(lines.join('\n')).not.toMatch(/^(ARG|ENV) .*(SECRET|PASSWORD|TOKEN|KEY)/m);
  });
});

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from '@counterfoil/test-harness';
import type { ReadRequest } from './protocol';
import type { ReaderProcess } from './reader-process';
import type { Sandbox } from './sandbox';

// The compiled modules: a sandbox lets the reader see nothing else of the project.
const COMPILED = path.resolve(__dirname, '../../../../dist/libs/receipt-reader/src/process');
const MIB = 1024 * 1024;
const SECRET = 'sk_secret_of_the_worker';
const SAMPLES = path.resolve(__dirname, '../../samples');

interface Compiled {
  readonly ReaderProcess: typeof ReaderProcess;
  readonly sandboxes: (isRoot: boolean) => Sandbox[];
  readonly chooseSandbox: (mode: string) => Promise<{ sandbox: Sandbox; refused: string[] }>;
}
const load = createRequire(__filename);
const FILES = ['reader-process', 'sandbox', 'choose-sandbox'];
const compiled: object[] = FILES.map((file) => load(path.join(COMPILED, `${file}.js`)) as object);
const { ReaderProcess: Reader, sandboxes, chooseSandbox } = Object.assign({}, ...compiled) as Compiled;

/**
 * Performs the steps of an attacker who runs code in the reader, and reports the results. It changes nothing,
 * even where it could.
 */
const HOSTILE = `
  const fs = require('node:fs'), net = require('node:net'), { execFileSync } = require('node:child_process');
  const { Worker } = require('node:worker_threads');
  new Worker(require('node:path').join(__dirname, '../dist/libs/receipt-reader/src/process/watch.js'), { workerData: JSON.parse(process.argv[2]) }).unref();
  process.on('disconnect', () => process.exit(0));
  const attempt = (deed) => { try { return String(deed()); } catch (error) { return error.code ?? error.message; } };
  const connect = (place) => new Promise((resolve) => {
    const socket = net.connect(place, () => resolve('connected'));
    socket.on('error', (error) => resolve(error.code));
  });
  const everywhere = (file) => fs.readdirSync('/proc').filter((pid) => /^\\d+$/.test(pid))
    .map((pid) => attempt(() => fs.readFileSync('/proc/' + pid + '/' + file, 'latin1'))).join();
  process.on('message', async ({ number, request }) => {
    const text = Buffer.from(request.bytes).toString();
    if (text === 'hang') for (;;);
    const { worker, port, socket, file, own } = JSON.parse(text);
    const told = {
      secretFound: everywhere('environ').includes(${JSON.stringify(SECRET)}),
      environment: Object.keys(process.env).join(),
      workerEnvironment: attempt(() => fs.readFileSync('/proc/' + worker + '/environ', 'latin1')),
      workerMemory: attempt(() => fs.openSync('/proc/' + worker + '/mem')),
      workerSignal: attempt(() => process.kill(worker, 0)),
      processes: fs.readdirSync('/proc').filter((pid) => /^\\d+$/.test(pid)).length,
      shadow: attempt(() => fs.readFileSync('/etc/shadow')),
      file: attempt(() => fs.readFileSync(file)),
      code: attempt(() => fs.accessSync(__dirname, fs.constants.W_OK)),
      system: attempt(() => fs.accessSync('/usr', fs.constants.W_OK)),
      kernel: attempt(() => fs.accessSync('/proc/sys/kernel/core_pattern', fs.constants.W_OK)),
      temporary: attempt(() => { fs.writeFileSync(own, 'x'); return fs.readdirSync('/tmp').join(); }),
      root: attempt(() => process.setuid(0)),
      status: attempt(() => fs.readFileSync('/proc/self/status', 'latin1').match(/(NoNewPrivs|CapEff|CapBnd):\\s*\\w+/g)),
      loopback: await connect({ port, host: '127.0.0.1' }),
      socket: await connect({ path: socket }),
      uid: process.getuid(),
      priority: require('node:os').getPriority(),
    };
    process.send({ number, answer: { kind: 'failed', message: JSON.stringify(told) } });
  });
`;

const asked = (bytes: string | Buffer): ReadRequest => ({
  bytes: Buffer.from(bytes),
  declaredKind: null,
  today: '2026-11-22',
  recognise: true,
  withText: false,
});

/**
 * Acts as the worker: it has a secret in its environment, and runs the attacker's code in one of its
 * sandboxes.
 */
const DRIVER = `
  const path = require('node:path');
  const [folder, isRoot, index, request] = process.argv.slice(2);
  const load = (file) => require(path.join(folder, 'dist/libs/receipt-reader/src/process', file + '.js'));
  const { NO_SANDBOX, sandboxes } = load('sandbox');
  const sandbox = sandboxes(isRoot === 'true')[Number(index)] ?? NO_SANDBOX;
  const limits = { timeoutMs: 60_000, blameCpuMs: 60_000, memoryMaxBytes: 1e9, idleMs: 60_000, niceness: 12 };
  const main = path.join(folder, 'hostile/main.js');
  const reader = new (load('reader-process').ReaderProcess)({ ...limits, sandbox, main });
  const asked = (text) => ({ bytes: Buffer.from(text), declaredKind: null, today: '', recognise: true, withText: false });
  if (request === 'hang') {
    reader.read(1, asked(request)).catch(() => undefined);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_000);
  } else {
    const place = { ...JSON.parse(request), worker: process.pid };
    reader.read(1, asked(JSON.stringify(place))).then(
      ({ message }) => { process.stdout.write(message); reader.stop(); },
      (error) => { console.error(error.message, error.told); process.exit(1); },
    );
  }
`;

const isRoot = process.getuid?.() === 0;
/** One in seven stops comes between the start of the sandbox's first process and its tie to the sandbox. */
const EARLY_STOPS = 40;
const EARLY_MS = 300;
const NOBODY = 65_534;
/** All sandboxes by user and position. Root also acts as an ordinary user. */
const ALL = [true, false]
  .filter((forRoot) => !forRoot || isRoot)
  .flatMap((forRoot) =>
    sandboxes(forRoot).map((sandbox, index) => ({
      name: `${sandbox.kind} of ${forRoot ? 'root' : 'a user'}`,
      place: { forRoot, index },
      sandbox,
    })),
  );
type Case = (typeof ALL)[number];

function succeeds(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** True if this system supports the sandbox, determined without the code under test. */
function isThere({ sandbox, place }: Case): boolean {
  if (sandbox.kind === 'user') return true;
  const program =
    sandbox.kind === 'bwrap' ? ['bwrap', '--ro-bind', '/', '/'] : ['unshare', '--pid', '--fork'];
  const [command = '', ...args] = program;
  const user = place.forRoot || sandbox.kind === 'bwrap' ? [] : ['--user', '--map-root-user'];
  return succeeds(command, ...args, ...user, 'true');
}

describe('the sandbox of a reader', () => {
  let folder: string;
  let server: net.Server;
  let local: net.Server;
  let secrets: { port: number; socket: string; file: string; own: string };

  beforeAll(async () => {
    // A copy that every user can read, wherever the checkout is.
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-hostile-'));
    fs.cpSync(COMPILED, path.join(folder, 'dist/libs/receipt-reader/src/process'), { recursive: true });
    fs.cpSync(
      path.join(COMPILED, '../reading.js'),
      path.join(folder, 'dist/libs/receipt-reader/src/reading.js'),
    );
    fs.mkdirSync(path.join(folder, 'hostile'));
    fs.writeFileSync(path.join(folder, 'hostile', 'main.js'), HOSTILE);
    fs.writeFileSync(path.join(folder, 'driver.js'), DRIVER);
    execFileSync('chmod', ['-R', 'a+rX', folder]);
    // Only the worker may read these, whether it runs as root or as nobody.
    const data = path.join(folder, 'data');
    fs.mkdirSync(data, { mode: 0o700 });
    secrets = {
      port: 0,
      socket: path.join(data, 'socket'),
      file: path.join(data, 'secrets.key'),
      own: `${folder}.own`,
    };
    fs.writeFileSync(secrets.file, SECRET, { mode: 0o600 });
    server = net.createServer().listen(0, '127.0.0.1');
    local = net.createServer().listen(secrets.socket);
    await Promise.all([once(server, 'listening'), once(local, 'listening')]);
    secrets.port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.close();
    local.close();
    for (const left of [folder, secrets.own]) fs.rmSync(left, { recursive: true, force: true });
  });

  function drive({ place: { forRoot, index } }: Case, request: string): string {
    const account = isRoot && !forRoot ? { uid: NOBODY, gid: NOBODY } : {};
    // The data folder belongs to the worker, so only the sandbox protects it.
    const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = account;
    for (const entry of ['data', 'data/secrets.key', 'data/socket'])
      fs.chownSync(path.join(folder, entry), uid, gid);
    const args = [path.join(folder, 'driver.js'), folder, `${forRoot}`, `${index}`, request];
    const options = { ...account, cwd: '/', env: { SECRETS_KEY: SECRET, PATH: process.env['PATH'] } };
    return execFileSync(process.execPath, args, options).toString();
  }

  function attacked(one: Case): Record<string, unknown> {
    fs.rmSync(secrets.own, { force: true });
    return JSON.parse(drive(one, JSON.stringify(secrets))) as Record<string, unknown>;
  }

  it('is available if the system allows namespaces', async () => {
    const { sandbox, refused } = await chooseSandbox('auto');
    const strong = ALL.some(
      (one) => one.place.forRoot === isRoot && one.sandbox.kind !== 'user' && isThere(one),
    );
    const weak = isRoot ? 'user' : 'none';
    expect([sandbox.kind, refused]).toEqual([
      strong ? expect.stringMatching(/namespaces|bwrap/) : weak,
      expect.any(Array),
    ]);
    expect((await chooseSandbox('off')).sandbox.kind).toBe('none');
  });

  it('fails with the reasons if it is required and none works', () => {
    const script = `
      const processes = require('node:child_process');
      const { spawn } = processes;
      processes.spawn = (program, args, options) => spawn('/nowhere/' + program, args, options);
      const { chooseSandbox } = require(${JSON.stringify(path.join(COMPILED, 'choose-sandbox.js'))});
      chooseSandbox(process.argv[1]).then(
        ({ sandbox, refused }) => console.log(sandbox.kind + ' ' + (refused.length > 1)),
        (error) => console.log(error.message),
      );`;
    const told = (mode: string) => execFileSync(process.execPath, ['-e', script, mode]).toString();
    expect(told('auto')).toBe('none true\n');
    expect(told('require')).toMatch(/^READER_SANDBOX=require, but no sandbox .*namespaces: .*ENOENT/);
    expect(told('off')).toBe('none false\n');
  });

  it('is effective: without one, the same code can read everything', () => {
    const none = { ...ALL[0]!, place: { forRoot: isRoot, index: ALL.length } };
    expect(attacked(none)).toMatchObject({
      secretFound: true,
      workerEnvironment: expect.stringContaining(SECRET),
      file: SECRET,
      loopback: 'connected',
      socket: 'connected',
    });
  });

  it.each(ALL.filter(({ sandbox }) => sandbox.kind !== 'user'))(
    '$name denies the code of an attacker all access',
    (one) => {
      if (!isThere(one)) return expect(() => attacked(one)).toThrow();
      const told = attacked(one);
      expect(told).toMatchObject({
        environment: expect.stringMatching(/^((TZ|HOME|PWD|OLDPWD),?)+$/),
        secretFound: false,
        workerEnvironment: expect.not.stringContaining(SECRET),
        workerMemory: expect.stringMatching(/ENOENT|EACCES/),
        shadow: 'ENOENT',
        file: 'ENOENT',
        code: expect.stringMatching(/EROFS|EACCES/),
        system: expect.stringMatching(/EROFS|EACCES/),
        kernel: expect.stringMatching(/EROFS|EACCES/),
        temporary: expect.stringContaining('.own'),
        root: expect.stringMatching(/EPERM|EINVAL/),
        status: expect.stringMatching(/CapEff:\s*0+,.*NoNewPrivs:\s*1/),
        loopback: expect.stringMatching(/ECONNREFUSED|ENETUNREACH/),
        socket: 'ENOENT',
        uid: NOBODY,
        priority: 12,
      });
      expect(told['processes']).toBeLessThan(4);
      expect(fs.existsSync(secrets.own)).toBe(false);
    },
  );

  it.each(ALL.filter(({ sandbox }) => sandbox.kind === 'user'))(
    '$name denies the code of an attacker access to our processes and files',
    (one) => {
      expect(attacked(one)).toMatchObject({
        environment: expect.stringMatching(/^((TZ|HOME|PWD|OLDPWD),?)+$/),
        secretFound: false,
        workerEnvironment: 'EACCES',
        workerMemory: 'EACCES',
        workerSignal: 'EPERM',
        shadow: 'EACCES',
        file: 'EACCES',
        socket: 'EACCES',
        code: 'EACCES',
        system: 'EACCES',
        kernel: 'EACCES',
        root: 'EPERM',
        status: expect.stringMatching(/CapEff:\s*0+,CapBnd:\s*0+,NoNewPrivs:\s*1/),
        uid: NOBODY,
      });
    },
  );

  it('reads the same documents as without, including images and Hebrew', async () => {
    const limits = {
      timeoutMs: 120_000,
      blameCpuMs: 120_000,
      memoryMaxBytes: 1024 * MIB,
      idleMs: 120_000,
      niceness: 0,
    };
    const modes = await Promise.all(['auto', 'off'].map(chooseSandbox));
    const readers = modes.map(({ sandbox }) => new Reader({ ...limits, sandbox }));
    try {
      for (const name of ['invoice.xml', 'text.pdf', 'scan.pdf', 'turned-photo.jpg']) {
        const document = asked(fs.readFileSync(path.join(SAMPLES, name)));
        const [inside, outside] = await Promise.all(readers.map((reader) => reader.read(1, document)));
        expect(inside).toMatchObject({ kind: 'read' });
        expect(inside).toEqual(outside);
      }
    } finally {
      for (const reader of readers) reader.stop();
    }
  }, 240_000);

  /** Returns the hostile processes of this machine, including sandboxed ones. */
  const hostileProcesses = () =>
    fs.readdirSync('/proc').filter((pid) => {
      try {
        return fs
          .readFileSync(`/proc/${pid}/cmdline`, 'latin1')
          .includes(path.join(folder, 'hostile', 'main.js'));
      } catch {
        return false;
      }
    });

  const hostileReader = ({ sandbox }: Case) =>
    new Reader({
      ...{ timeoutMs: 60_000, blameCpuMs: 60_000, memoryMaxBytes: 1024 * MIB, idleMs: 60_000, niceness: 0 },
      ...{ sandbox, main: path.join(folder, 'hostile', 'main.js') },
    });

  it.each(ALL.filter(({ place, sandbox }) => place.forRoot === isRoot && sandbox.kind !== 'user'))(
    '$name leaves no process behind when it is stopped while it starts',
    async (one) => {
      if (!isThere(one)) return expect(() => attacked(one)).toThrow();
      for (let time = 0; time < EARLY_STOPS; time++) {
        const reader = hostileReader(one);
        reader.read(1, asked('hang')).catch(() => undefined);
        const children = `/proc/${reader.pid}/task/${reader.pid}/children`;
        const seenBy = Date.now() + EARLY_MS;
        while (Date.now() < seenBy && fs.readFileSync(children, 'utf8') === '');
        reader.stop();
      }
      await until('the end of all', () => hostileProcesses().length === 0);
    },
  );

  it.each(ALL)('$name leaves no process behind, whichever process ends it', async (one) => {
    if (!isThere(one)) return expect(() => attacked(one)).toThrow();
    if (one.place.forRoot === isRoot) {
      const reader = hostileReader(one);
      reader.read(1, asked('hang')).catch(() => undefined);
      await until('the reader', () => hostileProcesses().length > 0);
      reader.stop();
      await until('the end of a reader that was stopped', () => hostileProcesses().length === 0);
    }
    expect(() => drive(one, 'hang')).toThrow();
    await until('the end of a reader that lost its parent', () => hostileProcesses().length === 0);
  });
});

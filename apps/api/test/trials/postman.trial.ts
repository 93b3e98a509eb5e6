import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  DEMO_KEY,
  DocumentServer,
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startService,
  type TestService,
} from '@counterfoil/test-harness';
import { RECEIPT } from '../example-calls';
import {
  arranged,
  gapsIn,
  type PostmanAnswer,
  type PostmanCollection,
  type PostmanPlan,
  unexpectedIn,
} from '../postman-collection';
import { POSTMAN_EXCEPTIONS, POSTMAN_STEPS, POSTMAN_UNSENT } from '../postman-steps';

const ROOT = path.resolve(__dirname, '../../../..');
const PACKAGES = path.join(ROOT, 'tmp/openapi-clients/node_modules');
const INSTALL = "import('./tools/openapi-clients/packages.mjs').then((one) => one.installPackages())";
const INSTALL_LIMIT_MS = 600_000;
const OUTPUT_BYTES_MAX = 64 * 1_048_576;
const FILE = 'receipt.txt';
const PLAN: PostmanPlan = { steps: POSTMAN_STEPS, exceptions: POSTMAN_EXCEPTIONS, unsent: POSTMAN_UNSENT };

const execute = promisify(execFile);

/** The report of Newman, as far as it is read here. */
interface Report {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number; readonly stream: { readonly data: readonly number[] } };
    }[];
    readonly failures: readonly { readonly error: { readonly message: string } }[];
  };
}

let place: string;
let receiver: EventReceiver;
let documents: DocumentServer;
let service: TestService;
let collection: PostmanCollection;

beforeAll(async () => {
  await execute(process.execPath, ['-e', INSTALL], { cwd: ROOT });
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-postman-'));
  fs.writeFileSync(path.join(place, FILE), RECEIPT);
  receiver = await startEventReceiver();
  documents = await DocumentServer.start();
  service = await startService(queueStores()[0]!, {
    NODE_EXTRA_CA_CERTS: receiver.certificateFile,
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
  });
  collection = await generatedCollection();
}, INSTALL_LIMIT_MS);
afterAll(async () => {
  await documents?.close();
  await service?.stop();
  await receiver?.close();
  fs.rmSync(place, { recursive: true, force: true });
});

/** Runs a program of an installed package. A failing request is no failure of Newman, but a line of its report. */
const run = (program: string, ...args: string[]) =>
  execute(process.execPath, [path.join(PACKAGES, program), ...args], {
    cwd: place,
    maxBuffer: OUTPUT_BYTES_MAX,
  });

/** The collection that Postman imports, with the options that docs/generated-clients.md names. */
async function generatedCollection(): Promise<PostmanCollection> {
  const description = path.join(ROOT, 'docs/openapi.json');
  const options = 'parametersResolution=Example,enableOptionalParameters=false,folderStrategy=Tags';
  const file = path.join(place, 'collection.json');
  await run(
    'openapi-to-postmanv2/bin/openapi2postmanv2.js',
    ...['-s', description, '-o', file, '-O', options],
  );
  return JSON.parse(fs.readFileSync(file, 'utf8')) as PostmanCollection;
}

async function send(toRun: PostmanCollection): Promise<Report['run']> {
  const [file, report] = ['arranged.json', 'report.json'].map((name) => path.join(place, name)) as [
    string,
    string,
  ];
  fs.writeFileSync(file, JSON.stringify(toRun));
  const variables = {
    baseUrl: service.url,
    bearerToken: DEMO_KEY,
    hookUrl: receiver.url,
    receiptUrl: documents.serve('/receipt.txt', RECEIPT),
  };
  const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const reporter = ['--reporters', 'json', '--reporter-json-export', report, '--suppress-exit-code'];
  await run('newman/bin/newman.js', 'run', file, '--working-dir', place, ...given, ...reporter);
  return (JSON.parse(fs.readFileSync(report, 'utf8')) as Report).run;
}

const answerOf = ({ item, response }: Report['run']['executions'][number]): PostmanAnswer => ({
  name: item.name,
  status: response?.code ?? 0,
  text: Buffer.from(response?.stream.data ?? []).toString('utf8'),
});

describe('the Postman collection of the description', () => {
  it('has a step for each request', () => {
    expect(gapsIn(collection, PLAN)).toEqual([]);
  });

  it('answers 2xx to each request but the exceptions', async () => {
    const { executions, failures } = await send(arranged(collection, POSTMAN_STEPS, FILE));
    const failed = failures.map(({ error }) => error.message);
    expect([...unexpectedIn(executions.map(answerOf), PLAN), ...failed]).toEqual([]);
  });
});

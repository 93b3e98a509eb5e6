import fs from 'node:fs';
import path from 'node:path';
import { EXAMPLE_CALLS, type ExampleCall } from '../src/openapi/describe-examples';
import { description, documents, receiver, schemas, serveDescribed, service } from './described-service';
import { callEverything, HOOK, RECEIPT, RECEIPT_AT } from './example-calls';
import { ExampleSession } from './example-session';
import { replay } from './replayed-examples';
import { stableExamples } from './stable-examples';

/** `npm run openapi:examples` sets this, and the examples are recorded anew. */
const RECORDS = process.env['RECORD_EXAMPLES'] !== undefined;
const FILE = path.resolve(__dirname, '../src/openapi/examples.json');

let servers: ReadonlyMap<string, string>;

serveDescribed();
beforeAll(() => {
  servers = new Map([
    [HOOK, receiver.url],
    [RECEIPT_AT, documents.serve('/receipt.txt', RECEIPT)],
  ]);
});

const session = () => new ExampleSession(service, description, servers);

/** Writes the calls of this run to the file of the examples. */
async function record(): Promise<ExampleCall[]> {
  const made = session();
  await callEverything(made);
  const addresses = new Map([...servers].map(([example, actual]) => [actual, example]));
  const calls = stableExamples(made.calls, addresses);
  fs.writeFileSync(FILE, `${JSON.stringify(calls, null, 2)}\n`);
  return calls;
}

describe('the examples of /openapi.json', () => {
  let calls: readonly ExampleCall[] = EXAMPLE_CALLS;

  it('are accepted by a running service, in order', async () => {
    if (RECORDS) calls = await record();
    else await replay(session(), calls);
  });

  it('fit their schemas', () => {
    for (const call of calls) {
      const place = placeOf(call.operation);
      const [type = ''] = Object.keys(operationAt(place).responses[call.status]?.content ?? {});
      const answer = ['responses', String(call.status), 'content', type, 'schema'];
      const problems = schemas.problemsOf(call.answer, 'paths', ...place, ...answer);
      expect({ call: call.operation, status: call.status, problems }).toEqual({
        call: call.operation,
        status: call.status,
        problems: [],
      });
      if (call.body === undefined) continue;
      const [form = ''] = Object.keys(operationAt(place).requestBody?.content ?? {});
      const request = schemas.problemsOf(
        call.body,
        'paths',
        ...place,
        'requestBody',
        'content',
        form,
        'schema',
      );
      expect({ call: call.operation, request }).toEqual({ call: call.operation, request: [] });
    }
  });

  it('contain nothing secret and nothing of this machine', () => {
    const text = JSON.stringify(calls);
    expect(text).not.toMatch(/sk_(live|test)_(?!EXAMPLE)|whsec_(?!EXAMPLE)/);
    expect([...text.matchAll(/https?:\/\/[^/"\\]+/g)].map(([address]) => address)).not.toContainEqual(
      expect.stringMatching(/127\.0\.0\.1:(?!3000)/),
    );
  });
});

const placeOf = (operationId: string): [path: string, method: string] => {
  for (const [at, item] of Object.entries(description.paths)) {
    const found = Object.entries(item).find(([, operation]) => operation.operationId === operationId);
    if (found) return [at, found[0]];
  }
  throw new Error(`no operation ${operationId}`);
};

const operationAt = ([at, method]: [path: string, method: string]) => description.paths[at]![method]!;

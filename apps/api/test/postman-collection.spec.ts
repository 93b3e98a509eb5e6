import { runInNewContext } from 'node:vm';
import {
  arranged,
  gapsIn,
  nameOf,
  type PostmanAnswer,
  type PostmanCollection,
  type PostmanRequest,
  requestsOf,
  unexpectedIn,
} from './postman-collection';
import type { PostmanStep } from './postman-steps';

const request = (
  method: string,
  path: string,
  more: Partial<PostmanRequest['request']> = {},
): PostmanRequest => ({
  name: `${method} of the collection`,
  request: { method, url: { path: path.slice(1).split('/'), query: [], variable: [] }, ...more },
});

const CREATE = request('POST', '/invoices', {
  body: { raw: '{ "clientId": 1, "lines": [{ "productId": 2, "amount": 3 }], "note": "for 1" }' },
});
const GET = request('GET', '/invoices/:id', {
  url: {
    path: ['invoices', ':id'],
    variable: [{ key: 'id', value: 'inv_1' }],
    query: [
      { key: 'fields', value: 'all', disabled: true },
      { key: 'limit', value: '5', disabled: true },
    ],
  },
});
const UPLOAD = request('POST', '/files', {
  body: {
    formdata: [
      { key: 'file', type: 'file' },
      { key: 'title', type: 'text' },
    ],
  },
});
const COLLECTION: PostmanCollection = {
  item: [
    { name: 'Invoices', item: [{ name: 'Inner', item: [CREATE] }, GET] },
    { name: 'Files', item: [UPLOAD] },
  ],
};

const CREATED: PostmanStep = { send: 'POST /invoices', captures: { invoiceId: 'body.id' } };

/** The requests of the arranged collection. */
const sent = (...steps: PostmanStep[]) =>
  arranged(COLLECTION, steps, 'receipt.txt').item as unknown as Required<PostmanRequest>[];

interface Script {
  readonly script: { readonly exec: readonly string[] };
}

/** Runs the script of a request as Postman does after an answer, and returns its effects. */
function afterAnswer(one: Required<PostmanRequest>, body: object, environment = new Map<string, unknown>()) {
  const next: string[] = [];
  const failed: string[] = [];
  const pm = {
    response: { json: () => body },
    environment,
    execution: { setNextRequest: (name: string) => next.push(name) },
    expect: (value: unknown) => ({
      to: {
        equal: (other: unknown) => {
          if (value !== other) throw new Error('unequal');
        },
      },
    }),
    test: (name: string, work: () => void) => {
      try {
        work();
      } catch {
        failed.push(name);
      }
    },
  };
  const [{ script }] = one.event as unknown as [Script];
  runInNewContext(script.exec.join('\n'), { pm, setTimeout: () => undefined });
  return { environment, next, failed };
}

describe('the arranged collection', () => {
  it('has the requests of the steps in their order, each with a name of its own', () => {
    const steps = [CREATED, { send: 'GET /invoices/{id}' }, CREATED];
    expect(sent(...steps).map(({ name }) => name)).toEqual([
      '1. POST /invoices',
      '2. GET /invoices/{id}',
      '3. POST /invoices',
    ]);
    expect([...requestsOf(COLLECTION).keys()]).toEqual([
      'POST /invoices',
      'GET /invoices/{id}',
      'POST /files',
    ]);
  });

  it('takes ids of the path from variables, and sends enabled parameters', () => {
    const step = { send: 'GET /invoices/{id}', uses: { id: 'invoiceId' }, enables: ['fields'] };
    const [{ request: made }] = sent(step) as [PostmanRequest];
    expect(made.url.variable).toEqual([{ key: 'id', value: '{{invoiceId}}' }]);
    expect(made.url.query.map(({ disabled }) => disabled)).toEqual([false, true]);
  });

  it('takes ids of the body from variables, at any depth, as numbers', () => {
    const [{ request: made }] = sent({
      send: 'POST /invoices',
      uses: { clientId: 'client', productId: 'product', note: 'text' },
    }) as [PostmanRequest];
    const text = made.body!.raw!.replace('{{client}}', '11').replace('{{product}}', '12');
    expect(JSON.parse(text)).toEqual({
      clientId: 11,
      lines: [{ productId: 12, amount: 3 }],
      note: '{{text}}',
    });
  });

  it('replaces what a step has edited, and chooses the file of an upload', () => {
    const edited = { path: { id: 'other' }, body: { note: 'edited' } };
    const [read, created, upload] = sent(
      { send: 'GET /invoices/{id}', edited },
      { send: 'POST /invoices', edited },
      { send: 'POST /files' },
    ) as [PostmanRequest, PostmanRequest, PostmanRequest];
    expect(read.request.url.variable).toEqual([{ key: 'id', value: 'other' }]);
    expect(JSON.parse(created.request.body!.raw!)).toEqual({ note: 'edited' });
    expect(upload.request.body!.formdata).toEqual([
      { key: 'file', type: 'file', src: 'receipt.txt' },
      { key: 'title', type: 'text' },
    ]);
  });

  it('refuses a step without a request', () => {
    expect(() => sent({ send: 'GET /nothing' })).toThrow('the collection has no request GET /nothing');
  });

  it('keeps values of an answer', () => {
    const [one] = sent(CREATED) as [Required<PostmanRequest>];
    expect(afterAnswer(one, { id: 'inv_7' }).environment.get('invoiceId')).toBe('inv_7');
  });

  it('repeats a request until its answer is as expected, and gives up at some time', () => {
    const [one] = sent({ send: 'GET /invoices/{id}', until: 'body.paid' }) as [Required<PostmanRequest>];
    const environment = new Map<string, unknown>();
    expect(afterAnswer(one, { paid: false }, environment)).toMatchObject({ next: [one.name], failed: [] });
    expect(afterAnswer(one, { paid: true }, environment)).toMatchObject({ next: [], failed: [] });
    environment.set('attempts', 100_000);
    expect(afterAnswer(one, { paid: false }, environment)).toMatchObject({ next: [], failed: ['body.paid'] });
  });
});

describe('the plan', () => {
  const steps: PostmanStep[] = [CREATED, { send: 'GET /invoices/{id}' }, { send: 'POST /files' }];
  const answers = (...statuses: number[]): PostmanAnswer[] =>
    statuses.map((status, at) => ({ name: nameOf(steps[at]!, at), status, text: 'the text' }));

  it('has no gap if every request is sent', () => {
    expect(gapsIn(COLLECTION, { steps, exceptions: {} })).toEqual([]);
  });

  it.each<[string, PostmanStep[], Record<string, string>, string]>([
    ['a new request', steps.slice(1), {}, 'POST /invoices is sent by no step as it is'],
    [
      'a request that is sent with other values only',
      [{ ...CREATED, edited: { body: {} } }, ...steps.slice(1)],
      {},
      'POST /invoices is sent by no step as it is',
    ],
    [
      'a step of a removed request',
      [...steps, { send: 'GET /old' }],
      {},
      'GET /old is not in the collection',
    ],
    ['an exception of a removed request', steps, { 'GET /old': 'gone' }, 'GET /old is not in the collection'],
  ])('has a gap with %s', (_, planned, exceptions, gap) => {
    expect(gapsIn(COLLECTION, { steps: planned, exceptions })).toEqual([gap]);
  });

  it('expects 2xx', () => {
    const plan = { steps, exceptions: {} };
    expect(unexpectedIn(answers(201, 200, 204), plan)).toEqual([]);
    expect(unexpectedIn(answers(201, 404), plan)).toEqual([
      '2. GET /invoices/{id} answered 404: the text',
      '3. POST /files was not sent',
    ]);
  });

  it('expects each attempt of a repeated request to be answered', () => {
    const repeated = [...answers(201, 200, 200), ...answers(201, 0)];
    expect(unexpectedIn(repeated, { steps, exceptions: {} })).toEqual([
      '2. GET /invoices/{id} answered 0: the text',
    ]);
  });

  it('expects an exception to be refused still', () => {
    const exceptions = { 'GET /invoices/{id}': 'a reason' };
    expect(unexpectedIn(answers(201, 404, 201), { steps, exceptions })).toEqual([]);
    expect(unexpectedIn(answers(201, 200, 201), { steps, exceptions })).toEqual([
      '2. GET /invoices/{id} answers 200: it is no exception any more',
    ]);
  });
});

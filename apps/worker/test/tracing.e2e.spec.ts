import {
  type CollectedSpan,
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startProcesses,
  startTraceCollector,
  type ServiceProcesses,
  type TraceCollector,
  until,
} from '@counterfoil/test-harness';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';
/** Spans are exported in batches, and late on a busy machine. */
const EXPORTED_MS = 30_000;

/** Stands in names, texts and numbers of every request, and must not be in any span. */
const DATA = 'Zebrafinch';
/** No time in nanoseconds has these digits by its milliseconds alone, which end with zeros. */
const TAX_ID = '514000017';
const PRICE = 1_504.27;
/** From a total of 5,000 on, a document needs an allocation number. */
const HIGH_PRICE = 15_043.27;

describe.each(queueStores())('traces over the $kind queue', (store) => {
  let service: ServiceProcesses;
  let receiver: EventReceiver;
  let collector: TraceCollector;
  let entityId: number;

  beforeAll(async () => {
    [receiver, collector] = await Promise.all([startEventReceiver(), startTraceCollector()]);
    service = await startProcesses(store, {
      ...receiver.settings,
      ...collector.settings,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=books%2Dteam',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      WEBHOOK_RETRY_DELAYS: '100ms,100ms',
    });
    const client = { name: DATA, taxId: TAX_ID, type: 'COMPANY' };
    const created = await service.request<{ clientId: number }>('POST', '/clients/create', client);
    entityId = created.body.clientId;
    const url = `${receiver.url}?token=${DATA}`;
    const endpoint = await service.request('POST', '/webhooks', { url, events: ['document.created'] });
    expect(endpoint.status).toBe(201);
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    await collector?.close();
  });

  const issue = (headers: Readonly<Record<string, string>> = {}, unitPrice = PRICE): Promise<Response> => {
    const items = [{ description: DATA, quantity: 2, unitPrice }];
    return fetch(`${service.url}/documents/create/tax-invoice`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_demo_owner', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ entityId, items, notes: DATA }),
    });
  };

  const nameOf = (spans: readonly CollectedSpan[], spanId: string | null) =>
    spans.find((span) => span.spanId === spanId)?.name ?? null;
  const only = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
    const found = spans.filter((span) => span.name.split(' + ').includes(name));
    if (found.length !== 1)
      throw new Error(`${found.length} spans ${name}: ${spans.map((one) => one.name).join()}`);
    return found[0]!;
  };
  const received = (traceId: string) =>
    receiver.received.filter(({ headers }) => headers['traceparent']?.includes(traceId));

  it('are one from the request to the delivery, in both processes, and continue that of the caller', async () => {
    const answer = await issue({
      traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01`,
      tracestate: 'vendor=opaque',
      'x-request-id': 'order-7',
    });
    expect(answer.status).toBe(201);
    const [delivered] = await until(
      'the delivery',
      () => received(TRACE_ID).length === 1 && received(TRACE_ID),
    );
    const spans = await until('the attempt and the request', () => {
      const names = collector.ofTrace(TRACE_ID).map(({ name }) => name);
      return names.includes('webhook attempt') &&
        names.includes('outbox.relay') &&
        names.includes('POST /documents/create/:type')
        ? collector.ofTrace(TRACE_ID)
        : null;
    });

    const parentOf = (name: string) => nameOf(spans, only(spans, name).parentSpanId);
    const request = only(spans, 'POST /documents/create/:type');
    expect(request).toMatchObject({
      parentSpanId: CALLER_SPAN,
      service: 'counterfoil-api',
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 201,
        'counterfoil.request_id': 'order-7',
        'counterfoil.company_id': expect.any(Number),
      },
    });
    expect(parentOf('IssueDocument')).toBe(request.name);
    expect(parentOf('transaction')).toBe('IssueDocument');
    expect(parentOf('outbox: append')).toBe('transaction');
    expect(parentOf('commit')).toBe('transaction');
    expect(parentOf('outbox.relay')).toBe('transaction');
    expect(parentOf('webhook attempt')).toBe('transaction');

    const attempt = only(spans, 'webhook attempt');
    expect(attempt).toMatchObject({
      service: 'counterfoil-worker',
      failed: false,
      attributes: {
        'server.address': '127.0.0.1',
        'http.response.status_code': 200,
        'counterfoil.attempt': 1,
        'counterfoil.event_type': 'document.created',
        'counterfoil.delivery_state': 'delivered',
      },
    });
    expect(delivered!.headers['traceparent']).toBe(`00-${TRACE_ID}-${attempt.spanId}-01`);
    expect(delivered!.headers['tracestate']).toBe('vendor=opaque');
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    expect(statements.flatMap(({ name }) => name.split(' + '))).toEqual(
      expect.arrayContaining(['identity: company', 'documents: insert', 'outbox: append', 'commit']),
    );
    expect(new Set(spans.map(({ service: name }) => name))).toEqual(
      new Set(['counterfoil-api', 'counterfoil-worker']),
    );
    expect(collector.exports.every(({ path }) => path === '/v1/traces')).toBe(true);
    expect(collector.exports.every(({ headers }) => headers['x-team'] === 'books-team')).toBe(true);
  });

  it('are named in the log lines of both processes', async () => {
    const lines = (log: string, message: string) =>
      log
        .split('\n')
        .filter((line) => line.includes(TRACE_ID))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === message);
    const request = await until('the line of the request', () => lines(service.api.log, 'request')[0]);
    const attempt = await until(
      'the line of the attempt',
      () => lines(service.worker.log, 'webhook attempt')[0],
    );
    const spanIds = collector.ofTrace(TRACE_ID).map(({ spanId }) => spanId);
    expect([request, attempt]).toMatchObject([{ traceId: TRACE_ID }, { traceId: TRACE_ID }]);
    expect(spanIds).toEqual(expect.arrayContaining([request['spanId'], attempt['spanId']]));
  });

  it.each([
    ['malformed', '00-xyz-00f067aa0ba902b7-01'],
    ['of zeros', `00-${'0'.repeat(32)}-${CALLER_SPAN}-01`],
    ['too long', `00-${TRACE_ID}-${CALLER_SPAN}-01-more`],
  ])('begin anew if the traceparent is %s', async (_, traceparent) => {
    const id = `order-${Math.random()}`;
    expect((await issue({ traceparent, 'x-request-id': id })).status).toBe(201);
    const span = await until(
      'the span',
      () => collector.spans.find(({ attributes }) => attributes['counterfoil.request_id'] === id),
      EXPORTED_MS,
    );
    expect(span.parentSpanId).toBeNull();
    expect(traceparent).not.toContain(span.traceId);
  });

  it('are not exported, but continued, if the caller has decided against them', async () => {
    const traceId = '5'.repeat(32);
    expect((await issue({ traceparent: `00-${traceId}-${CALLER_SPAN}-00` })).status).toBe(201);
    const [delivered] = await until(
      'the delivery',
      () => received(traceId).length === 1 && received(traceId),
    );
    expect(delivered!.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    await issue();
    await until('a later trace', () => collector.spans.at(-1)?.traceId !== traceId);
    expect(collector.ofTrace(traceId)).toEqual([]);
  });

  it('continue in a job, and in the events of the job', async () => {
    const traceId = '9'.repeat(32);
    expect((await issue({ traceparent: `00-${traceId}-${CALLER_SPAN}-01` }, HIGH_PRICE)).status).toBe(201);
    const spans = await until('the job and its event', () => {
      const known = collector.ofTrace(traceId);
      const names = known.map(({ name }) => name);
      const relays = names.filter((name) => name === 'outbox.relay');
      return names.includes('job approval.request') && relays.length === 2 && known;
    });
    const parentOf = (name: string) => nameOf(spans, only(spans, name).parentSpanId);
    expect(parentOf('RequestAllocationNumber')).toBe('job approval.request');
    expect(only(spans, 'job approval.request').service).toBe('counterfoil-worker');
    const relays = spans.filter(({ name }) => name === 'outbox.relay');
    expect(relays.map(({ attributes }) => attributes['counterfoil.event_type']).sort()).toEqual([
      'document.approval_number.assigned',
      'document.created',
    ]);
  });

  it('have a span for each attempt, whose receiver gets the span as its parent', async () => {
    const traceId = '6'.repeat(32);
    let refusals = 2;
    receiver.answerWith(({ headers }, response) => {
      const isRefused = headers['traceparent']?.includes(traceId) && refusals-- > 0;
      response.writeHead(isRefused ? 503 : 200).end();
    });
    expect((await issue({ traceparent: `00-${traceId}-${CALLER_SPAN}-01` })).status).toBe(201);
    const attempts = await until('three attempts', () => {
      const made = collector.ofTrace(traceId).filter(({ name }) => name === 'webhook attempt');
      return made.length === 3 && made;
    });
    const facts = attempts.map(({ failed, attributes }) => [
      failed,
      attributes['counterfoil.attempt'],
      attributes['http.response.status_code'],
      attributes['error.type'],
    ]);
    expect(facts).toEqual([
      [true, 1, 503, 'status'],
      [true, 2, 503, 'status'],
      [false, 3, 200, undefined],
    ]);
    expect(new Set(attempts.map(({ parentSpanId }) => parentSpanId)).size).toBe(1);
    expect(received(traceId).map(({ headers }) => headers['traceparent'])).toEqual(
      attempts.map(({ spanId }) => `00-${traceId}-${spanId}-01`),
    );
  });

  it('follow a document from the call that waits to the worker that reads it', async () => {
    const traceId = '7'.repeat(32);
    const fileId = await service.upload(`Invoice ${DATA}\nTotal: 118.00 ILS\n`);
    const answer = await fetch(`${service.url}/expenses/extract-from-file/${fileId}`, {
      headers: { authorization: 'Bearer sk_test_demo_owner', traceparent: `00-${traceId}-${CALLER_SPAN}-01` },
    });
    expect(answer.status).toBe(200);
    const spans = await until('the spans of both processes', () => {
      const names = collector.ofTrace(traceId).map(({ name }) => name);
      return names.includes('read receipt') && names.includes('GET /expenses/extract-from-file/:fileId')
        ? collector.ofTrace(traceId)
        : null;
    });
    const parentOf = (name: string) => nameOf(spans, only(spans, name).parentSpanId);
    expect(parentOf('wait for reading')).toBe('GET /expenses/extract-from-file/:fileId');
    expect(parentOf('read receipt')).toBe('wait for reading');
    expect(parentOf('fetch document')).toBe('read receipt');
    expect(parentOf('read document')).toBe('read receipt');
    expect(only(spans, 'read receipt')).toMatchObject({
      service: 'counterfoil-worker',
      attributes: { 'counterfoil.company_id': expect.any(Number), 'counterfoil.document': 'file' },
    });
    expect(only(spans, 'read document').attributes).toMatchObject({
      'counterfoil.pages': 1,
      'counterfoil.reading_source': 'text',
    });
  });

  it('mark what failed by its code', async () => {
    const traceId = '8'.repeat(32);
    const answer = await fetch(`${service.url}/documents/create/tax-invoice`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk_test_demo_owner',
        'content-type': 'application/json',
        traceparent: `00-${traceId}-${CALLER_SPAN}-01`,
      },
      body: JSON.stringify({ entityId: 999_999, items: [{ description: DATA, quantity: 1, unitPrice: 1 }] }),
    });
    expect(answer.status).toBe(400);
    const request = await until('the request', () =>
      collector.ofTrace(traceId).find(({ parentSpanId }) => parentSpanId === CALLER_SPAN),
    );
    expect(request).toMatchObject({
      failed: false,
      attributes: { 'counterfoil.error_code': 'UNKNOWN_REFERENCE' },
    });
    expect(only(collector.ofTrace(traceId), 'IssueDocument')).toMatchObject({
      failed: true,
      attributes: { 'error.type': 'UNKNOWN_REFERENCE' },
    });
  });

  it('contain no names, texts, amounts, keys or secrets', () => {
    for (const secret of [DATA, TAX_ID, '1504.27', '15043.27', 'sk_test', 'whsec_', 'Invoice', 'postgres:'])
      expect(collector.text).not.toContain(secret);
    expect(collector.text).toContain('deployment.environment.name');
  });
});

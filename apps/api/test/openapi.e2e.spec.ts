import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createTestDatabase, testConfig, until } from '@counterfoil/test-harness';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AppModule } from '../src/app.module';
import { ApiHttpAdapter } from '../src/http/http-adapter';
import { API_ROUTES, examplePath } from './api-routes';
import type { Operation } from './documented-schemas';
import {
  ask,
  check,
  description,
  operations,
  OTHER_TYPES,
  receiver,
  schemas,
  serveDescribed,
  service,
  SPENT,
} from './described-service';
import { exchange } from './http-exchange';
import { form as aForm, MULTIPART, sendForm } from './uploads';

serveDescribed();

/** Operations that change data without a body. */
const WITHOUT_BODY = [
  'POST /documents/close/{visibleId}',
  'POST /gateway/charges/{id}/cancel',
  'POST /sessions',
  ...['/webhooks', '/gateway/webhooks'].flatMap((base) =>
    ['pause', 'resume', 'deliveries/{deliveryId}/replay'].map((action) => `POST ${base}/{id}/${action}`),
  ),
];
/** Operations with an optional body. */
const BODY_OPTIONAL = [
  ...['capture', 'refund'].map((action) => `POST /gateway/charges/{id}/${action}`),
  ...['/webhooks', '/gateway/webhooks'].flatMap((base) =>
    ['rotate-secret', 'test'].map((action) => `POST ${base}/{id}/${action}`),
  ),
];
/** Operations that return arbitrary bytes. */
const BYTES = ['GET /files/{id}/content'];
/** Operations that accept a form, with a size above their limit. */
const FORMS: Readonly<Record<string, number>> = { 'POST /files/upload': 27_000_000 };

const STREAM = /^GET .*\/webhooks\/stream$/;

function typeOfAnswer(operation: string, status: string): string {
  const other = OTHER_TYPES[operation];
  if (status === '200' && other !== undefined) return other;
  if (status === '200' && BYTES.includes(operation)) return '*/*';
  if (status === '200' && STREAM.test(operation)) return 'text/event-stream';
  return 'application/json';
}

/** Returns the routes of all controllers, as Fastify serves them. */
async function routesOfTheFramework(): Promise<string[]> {
  const database = await createTestDatabase();
  const config = testConfig(database.url);
  const adapter = new ApiHttpAdapter(config);
  const routes: string[] = [];
  adapter.getInstance<FastifyInstance>().addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.push(`${name} ${url.replace(/:(\w+)/g, '{$1}')}`);
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(config), adapter, {
    bodyParser: false,
    logger: false,
  });
  try {
    await app.init();
  } finally {
    await app.close();
    await database.drop();
  }
  const ours = (route: string) => !/^HEAD | \*$/.test(route);
  return [...new Set(routes.filter(ours))].sort();
}

async function anInvoice(): Promise<object> {
  const answer = await ask('POST', '/clients/create', { name: 'Acme', taxId: '1', type: 'COMPANY' });
  const { clientId } = JSON.parse(answer.text) as { clientId: number };
  return { entityId: clientId, items: [{ description: 'Consulting', quantity: 2, unitPrice: 0.1 }] };
}

/** Creates an expense with required fields only. */
async function anExpense(): Promise<{ expenseId: number }> {
  const vendor = { name: 'Paper Ltd', taxId: '1', type: 'COMPANY' };
  const made = JSON.parse((await ask('POST', '/vendors/create', vendor)).text) as { vendorId: number };
  const { fileId } = JSON.parse((await sendForm(service.url, aForm('a receipt'))).text) as { fileId: number };
  const refers = { vendorId: made.vendorId, fileId };
  return JSON.parse((await ask('POST', '/expenses/create', { ...SPENT, ...refers })).text) as {
    expenseId: number;
  };
}

async function aStockRecord(more: object = {}): Promise<number> {
  const made = async <T>(at: string, body: object) => JSON.parse((await ask('POST', at, body)).text) as T;
  const { productId } = await made<{ productId: number }>('/products/create', { name: 'Paper', sku: 'A4' });
  const { warehouseId } = await made<{ warehouseId: number }>('/warehouses/create', { name: 'Main' });
  const record = { productId, warehouseId, ...more };
  return (await made<{ inventoryId: number }>('/inventory/create', record)).inventoryId;
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
}

interface Media {
  readonly schema: Schema;
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value?: object }>>;
}

interface ExampleBody {
  readonly route: string;
  readonly body: object;
  /** The required fields of the schema that the body fits. */
  readonly required: readonly string[];
}

function examplesOf(route: string, { requestBody }: Operation): ExampleBody[] {
  const media = requestBody?.content['application/json'] as Media | undefined;
  if (!media) return [];
  const bodies = [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)];
  return bodies
    .filter((body) => body !== undefined)
    .map((body) => {
      const fits = requiredIn(media.schema).filter((names) => names.every((name) => name in body));
      return { route, body, required: fits[0] ?? [] };
    });
}

/** The required fields of a schema, or of each of its alternatives. */
function requiredIn({ $ref, anyOf, required = [] }: Schema): (readonly string[])[] {
  if (anyOf) return anyOf.flatMap(requiredIn);
  if ($ref === undefined) return [required];
  return requiredIn(description.components.schemas[$ref.split('/').at(-1)!] as Schema);
}

describe('/openapi.json', () => {
  it('is valid OpenAPI 3.1', () => {
    expect(description.openapi).toBe('3.1.0');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-openapi-'));
    const file = path.join(folder, 'openapi.json');
    fs.writeFileSync(file, JSON.stringify(description));
    // The validator is an ES module, which Jest cannot load.
    const validator = require.resolve('@seriousme/openapi-schema-validator/bin/validate-api-cli.js');
    try {
      expect(execFileSync(process.execPath, [validator, file], { encoding: 'utf8' })).toContain('valid');
    } catch (error) {
      throw new Error(String((error as { stdout?: string }).stdout ?? error), { cause: error });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('has nothing of OpenAPI 3.0: neither nullable nor boolean bounds', () => {
    const text = JSON.stringify(description);
    expect(text).not.toMatch(/"nullable":/);
    expect(text).not.toMatch(/"exclusiveM(in|ax)imum":(true|false)/);
  });

  it('describes exactly the routes that are served', async () => {
    const expected = API_ROUTES.map(({ method, path: at }) => `${method} ${at}`).sort();
    expect(await routesOfTheFramework()).toEqual(expected);
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual(expected);
  });

  it('gives every operation a unique name that generated clients can use', () => {
    const names = operations().map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/);
  });

  it('gives every operation its parameters, request, response and errors, each with a schema', () => {
    for (const [name, operation] of operations()) {
      const [method = '', at = ''] = name.split(' ');
      const inPath = [...at.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const described = (operation.parameters ?? []).filter((one) => one.in === 'path');
      expect({ name, path: described.map((one) => one.name) }).toEqual({ name, path: inPath });
      expect({ name, body: operation.requestBody !== undefined }).toEqual({
        name,
        body: (method === 'POST' || method === 'PUT') && !WITHOUT_BODY.includes(name),
      });
      if (operation.requestBody) {
        const { required = false } = operation.requestBody;
        expect({ name, required }).toEqual({ name, required: !BODY_OPTIONAL.includes(name) });
      }
      const statuses = Object.keys(operation.responses);
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
      expect(statuses).toEqual(expect.arrayContaining(['400', '500', '503']));
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (status === '304') continue;
        const type = typeOfAnswer(name, status);
        expect(content).toHaveProperty([type, 'schema']);
      }
    }
  });

  it('describes each event of the catalogue under webhooks', () => {
    expect(Object.keys(description.webhooks).sort()).toEqual([...EVENT_CATALOGUE.types].sort());
    for (const { post } of Object.values(description.webhooks)) {
      const { schema } = post.requestBody?.content['application/json'] as { schema: { $ref: string } };
      const name = schema.$ref.replace('#/components/schemas/', '');
      expect(description.components.schemas).toHaveProperty([name, 'properties', 'data']);
      expect(post.parameters?.map(({ name }) => name)).toContain('Service-Signature');
    }
  });

  it('describes each event of documents, expenses and stock as it is delivered', async () => {
    const registered = await ask('POST', '/webhooks', { url: receiver.url, events: ['*'] });
    expect(registered.status).toBe(201);
    await liveThrough();
    // Those of mails need a mail server: `every-event.e2e.spec.ts` receives them.
    const told = EVENT_CATALOGUE.types.filter((type) =>
      /^(document\.(?!sen[dt])|expense\.|stock\.)/.test(type),
    );
    const bodies = await until('an event of each type', () => {
      const received = receiver.received.map(({ body }) => JSON.parse(body) as { type: string });
      return told.every((type) => received.some((one) => one.type === type)) && received;
    });
    const place = ['post', 'requestBody', 'content', 'application/json', 'schema'];
    for (const body of bodies) {
      expect(schemas.problemsOf(body, 'webhooks', body.type, ...place)).toEqual([]);
      const other = body.type === 'document.created' ? 'document.cancelled' : 'document.created';
      expect(schemas.problemsOf(body, 'webhooks', other, ...place)).not.toEqual([]);
    }
    const headers = description.webhooks['document.created']!.post.parameters!.map(({ name }) => name);
    for (const name of headers) expect(receiver.received[0]!.headers).toHaveProperty(name.toLowerCase());
  });

  /** Causes every event of documents, expenses and stock. */
  async function liveThrough(): Promise<void> {
    const body = await anInvoice();
    const issue = async (type: string, more: object) => {
      const { text } = await ask('POST', `/documents/create/${type}`, { ...body, ...more });
      return JSON.parse(text) as { id: number; visibleId: string };
    };
    const invoice = await issue('tax-invoice', {});
    await ask('POST', `/documents/approval-number/${invoice.visibleId}`, { approvalNumber: '123456789' });
    await issue('refund', { refundOf: invoice.id });
    const order = await issue('order', {});
    const shared = await ask('POST', `/documents/id/${order.id}/share`, {});
    await ask('GET', new URL((JSON.parse(shared.text) as { url: string }).url).pathname);
    const receipt = await issue('receipt', {
      items: [],
      payments: [{ method: 'CASH', amount: 0.1 }],
      allocations: [{ documentId: order.id, amount: 0.1 }],
    });
    await ask('POST', `/documents/cancel/${receipt.visibleId}`, { reason: 'entered twice' });
    const { expenseId } = await anExpense();
    await ask('PUT', `/expenses/edit/${expenseId}`, { title: 'x', date: '2026-01-31', currency: 'USD' });
    await ask('DELETE', `/expenses/delete/${expenseId}`);
    const inventoryId = await aStockRecord({ lowStockThreshold: 1.5 });
    for (const [movementType, quantity] of [
      ['ADD', 2],
      ['RESERVE', 0.5],
    ]) {
      await ask('POST', '/inventory/movements/create', { inventoryId, movementType, quantity });
    }
  }

  it('is served without a key, and as YAML too', async () => {
    const yaml = await exchange(service.url, {
      method: 'GET',
      path: '/openapi.yaml',
      headers: { authorization: null },
    });
    expect(yaml.status).toBe(200);
    expect(yaml.text).toContain('openapi: 3.1.0');
  });
});

describe('a real answer fits its description', () => {
  /** Statuses for unknown ids that are not 404. An unknown vendor or expense is not an error. */
  const STATUS_OF_UNKNOWN: Readonly<Record<string, number>> = {
    'GET /vendors/id/{visibleId}': 200,
    'GET /expenses/id/{id}': 200,
  };
  /** Returns a body above the limit. The limits of pricelists and files are higher than the others. */
  function tooMuch(route: string): { body: unknown; type?: string } {
    const form = FORMS[route];
    if (form !== undefined) return { body: 'x'.repeat(form), type: MULTIPART };
    return { body: { name: 'x'.repeat(route.endsWith('/pricelist') ? 5_300_000 : 1_100_000) } };
  }

  /** Asserts that the description and the answer name the same limit. */
  async function checkTooMuch(route: string): Promise<void> {
    const { error } = JSON.parse((await check(route, tooMuch(route), 413)).text) as { error: string };
    const told = new Map(operations()).get(route)?.responses['413']?.description.toLowerCase();
    expect({ route, told }).toEqual({ route, told: error.toLowerCase() });
  }

  /** Returns a path that identifies nothing: an unknown document type, or else an unknown id. */
  function unknown(at: string, hasBody: boolean): { at: string; body: object | undefined } {
    const quoted = at.endsWith('/quote') ? '?productId=1&quantity=1' : '';
    const query = at.includes('/statement') ? '?from=2026-01-01&to=2026-12-31' : quoted;
    const taken = {
      ...{ name: 'x', reason: 'x', approvalNumber: '123456789', since: '2026-01-01', entries: [] },
      ...{ providerToken: 'tok_approved', to: ['dana@example.com'], enabled: true },
    };
    return {
      at: at.includes('{type}') ? '/documents/create/nonsense' : examplePath(at) + query,
      body: hasBody ? taken : undefined,
    };
  }

  it('for every route that refuses, for each of its errors', async () => {
    const { key } = JSON.parse(
      (await ask('POST', '/api-keys', { role: 'viewer', userName: 'Noa' })).text,
    ) as { key: string };
    for (const { method, path: at, needs } of API_ROUTES) {
      const route = `${method} ${at}`;
      const example = examplePath(at);
      const body = method === 'POST' || method === 'PUT' ? { name: 5 } : undefined;
      await check(route, { at: `${example}?a=%00`, body }, 400);
      if (needs !== null) await check(route, { body, key: 'sk_live_unknown' }, 401);
      if (needs !== null && needs !== 'read') await check(route, { body, key }, 403);
      if (body) await checkTooMuch(route);
      if (body) await check(route, { body, type: 'text/plain' }, 415);
      if (at.includes('{'))
        await check(route, unknown(at, body !== undefined), STATUS_OF_UNKNOWN[route] ?? 404);
    }
  });

  it('requires a parameter of the query only where the service refuses a request without it', async () => {
    const parametersOf = new Map(operations().map(([name, { parameters = [] }]) => [name, parameters]));
    for (const { method, path: at } of API_ROUTES) {
      const route = `${method} ${at}`;
      if (method !== 'GET' || STREAM.test(route)) continue;
      const isRequired = parametersOf.get(route)!.some((one) => one.in === 'query' && one.required);
      const { status } = await ask('GET', examplePath(at));
      expect({ route, isRefused: status === 400 }).toEqual({ route, isRefused: isRequired });
    }
  });

  it('requires a field of a body exactly if the service refuses the example without it', async () => {
    const examples = operations().flatMap(([route, operation]) => examplesOf(route, operation));
    expect(examples.length).toBeGreaterThan(50);
    const problems: string[] = [];
    for (const { route, body, required } of examples) {
      for (const name of Object.keys(body)) {
        const { [name]: _, ...rest } = body as Record<string, unknown>;
        const [method = '', at = ''] = route.split(' ');
        const { text } = await ask(method, examplePath(at), rest);
        const { details = [] } = JSON.parse(text) as { details?: { field: string; problem: string }[] };
        const isMissed = details.some((one) => one.field === name && one.problem === 'is required');
        if (isMissed !== required.includes(name)) problems.push(`${route} ${name}`);
      }
    }
    expect(problems).toEqual([
      // Without it, the body is one of another shape: that of a new vendor.
      'POST /vendors/create entityId',
      // Required for a transfer only, which its description says.
      'POST /inventory/movements/create targetWarehouseId',
    ]);
  });

  it('when a company has the maximum number of endpoints', async () => {
    const { ownerKey } = await service.createCompany('Many hooks');
    const body = { url: receiver.url, events: ['charge.failed'] };
    const register = () => ask('POST', '/webhooks', body, { key: ownerKey });
    // Concurrent, so that the limit is also tested against races.
    const answers = await Promise.all(Array.from({ length: 55 }, register));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    const refused = await check('POST /webhooks', { body, key: ownerKey }, 409);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'LIMIT_REACHED' });
  });
});

import type { TestService } from '@counterfoil/test-harness';
import type { ExampleCall } from '../src/openapi/describe-examples';
import type { OpenApi } from './documented-schemas';
import { exchange } from './http-exchange';
import { form, MULTIPART } from './uploads';

export interface ExampleRequest {
  /** Distinguishes the examples of one operation. */
  readonly name?: string;
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly key?: string;
  /** False if the call only prepares another one. */
  readonly isShown?: boolean;
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly isForm: boolean;
  readonly isPage: boolean;
  readonly isKeyed: boolean;
}

/** Calls the operations of a running service by their names, and records the calls. */
export class ExampleSession {
  readonly calls: ExampleCall[] = [];
  private readonly places: ReadonlyMap<string, Place>;

  /** @param servers the actual addresses in place of those in requests, and the other way round in recorded calls */
  constructor(
    private readonly service: TestService,
    description: OpenApi,
    private readonly servers: ReadonlyMap<string, string>,
  ) {
    this.places = placesOf(description);
  }

  /** Makes a call, which must succeed, and records it. A call that takes an `Idempotency-Key` is made twice. */
  async call<Body>(operation: string, request: ExampleRequest = {}): Promise<Body> {
    const { isKeyed } = this.placeOf(operation);
    const key = isKeyed ? `example-${this.calls.length + 1}` : undefined;
    const sent = key === undefined ? request : { ...request, key };
    const { status, answer } = await this.send(operation, sent);
    this.record(operation, sent, { status, answer });
    if (isKeyed) this.record(operation, sent, await this.send(operation, sent));
    return answer as Body;
  }

  /** Makes a call, which must succeed, without recording it. */
  async ask<Body>(operation: string, request: ExampleRequest): Promise<Body> {
    return (await this.send(operation, request)).answer as Body;
  }

  async send(
    operation: string,
    { path = {}, query = {}, body, key }: ExampleRequest,
  ): Promise<{ readonly status: number; readonly answer: unknown }> {
    const place = this.placeOf(operation);
    const at = place.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const words = Object.entries(query).map(([name, value]) => [name, this.actual(String(value))]);
    const search = new URLSearchParams(words as [string, string][]).toString();
    const answer = await exchange(this.service.url, {
      method: place.method,
      path: search === '' ? at : `${at}?${search}`,
      headers: {
        'x-request-id': operation,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(place.isForm ? { 'content-type': MULTIPART } : {}),
      },
      body: this.encoded(body, place),
    });
    if (answer.status >= 300) throw new Error(`${operation} ${at} answered ${answer.status}: ${answer.text}`);
    const isText = place.isPage || !String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.status, answer: isText ? answer.text : (JSON.parse(answer.text) as unknown) };
  }

  private encoded(body: unknown, { isForm }: Place): string | Buffer | undefined {
    if (body === undefined) return undefined;
    if (isForm) return form((body as { readonly file: string }).file, 'receipt.txt');
    return this.actual(JSON.stringify(body));
  }

  /** Replaces the addresses of the examples by those of servers that run. */
  private actual(text: string): string {
    return [...this.servers].reduce((one, [example, address]) => one.replaceAll(example, address), text);
  }

  private placeOf(operation: string): Place {
    const place = this.places.get(operation);
    if (!place) throw new Error(`the description has no operation ${operation}`);
    return place;
  }

  private record(
    operation: string,
    { name, path, query, body, key, isShown }: ExampleRequest,
    answered: { readonly status: number; readonly answer: unknown },
  ): void {
    const request = { name, path, query, body, key, isShown };
    const given = Object.entries(request).filter(([, value]) => value !== undefined);
    this.calls.push({ operation, ...Object.fromEntries(given), ...answered });
  }
}

function placesOf({ paths }: OpenApi): ReadonlyMap<string, Place> {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, parameters = [], requestBody, responses }]) => [
        operationId,
        {
          method: method.toUpperCase(),
          path,
          isForm: 'multipart/form-data' in (requestBody?.content ?? {}),
          isPage: 'text/html' in (responses['200']?.content ?? {}),
          isKeyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
        },
      ]),
    ),
  );
}

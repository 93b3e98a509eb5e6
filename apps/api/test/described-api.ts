import type { TestService } from '@counterfoil/test-harness';
import { DocumentedSchemas, expectDescribedCode, type OpenApi } from './documented-schemas';
import { type Answer, exchange } from './http-exchange';

export interface Call {
  /** The actual path with its parameters and query, if it differs from the path in the description. */
  readonly at?: string;
  readonly body?: unknown;
  readonly key?: string;
  /** True if the body has fields that the description does not know and the service ignores. */
  readonly holdsIgnored?: boolean;
}

/** Calls a service, and validates every answer and every accepted body against `/openapi.json`. */
export class DescribedApi {
  private readonly schemas: DocumentedSchemas;

  private constructor(
    private readonly service: TestService,
    private readonly description: OpenApi,
  ) {
    this.schemas = new DocumentedSchemas(description);
  }

  static async of(service: TestService): Promise<DescribedApi> {
    const { text } = await exchange(service.url, { method: 'GET', path: '/openapi.json' });
    return new DescribedApi(service, JSON.parse(text) as OpenApi);
  }

  /** @param route a method and a path as in the description: `PUT /vendors/edit/{visibleId}` */
  async send(route: string, { at, body, key, holdsIgnored = false }: Call = {}): Promise<Answer> {
    const [method = '', path = ''] = route.split(' ');
    const answer = await exchange(this.service.url, {
      method,
      path: at ?? path,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    this.hold(
      answer.status,
      [path, method.toLowerCase(), 'responses', `${answer.status}`],
      JSON.parse(answer.text),
    );
    expectDescribedCode(this.description, [path, method.toLowerCase(), answer.status], answer.text);
    if (answer.status < 300 && body !== undefined && !holdsIgnored) {
      this.hold(answer.status, [path, method.toLowerCase(), 'requestBody'], body);
    }
    return answer;
  }

  /** Like `send`, for a call that must succeed. */
  async ok<T = Record<string, unknown>>(route: string, call: Call = {}): Promise<T> {
    const { status, text } = await this.send(route, call);
    if (status >= 300) throw new Error(`${route} ${call.at ?? ''} answered ${status}: ${text}`);
    return JSON.parse(text) as T;
  }

  private hold(status: number, place: readonly string[], body: unknown): void {
    const problems = this.schemas.problemsOf(
      body,
      'paths',
      ...place,
      'content',
      'application/json',
      'schema',
    );
    expect({ place, status, problems }).toEqual({ place, status, problems: [] });
  }
}

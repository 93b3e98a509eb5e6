import { DEMO_KEY } from '@counterfoil/test-harness';
import type { Surroundings } from './start-service';

/** A client with the demo company's key. */
export class StartClient {
  private readonly address: string;

  constructor(
    { port }: Surroundings,
    private readonly key = DEMO_KEY,
  ) {
    this.address = `http://127.0.0.1:${port}`;
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.address + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  async issueInvoice(): Promise<void> {
    const client = { name: 'Acme', type: 'COMPANY', taxId: '511111118' };
    const { clientId } = await this.call<{ clientId: number }>('POST', '/clients/create', client);
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    await this.call('POST', '/documents/create/TAX_INVOICE', { entityId: clientId, items });
  }

  /** True if the service answers. */
  isUp(): Promise<boolean> {
    return this.documentCount().then(
      () => true,
      () => false,
    );
  }

  async status(path: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.key}` };
    return (await fetch(this.address + path, { headers })).status;
  }

  /** Returns a cursor after all existing documents. */
  async cursor(): Promise<string> {
    const { nextCursor } = await this.call<{ nextCursor: string }>(
      'GET',
      '/documents?updatedSince=2000-01-01',
    );
    return nextCursor;
  }

  async documentCount(): Promise<number> {
    const { pagination } = await this.call<{ pagination: { total: number } }>('GET', '/documents');
    return pagination.total;
  }
}

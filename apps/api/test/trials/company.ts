import type { TestService } from '@counterfoil/test-harness';
import { type Answer, exchange } from '../http-exchange';

export type Json = Record<string, unknown>;

/** A client of a company that calls several API processes in turn, with an entity to issue documents to. */
export class Company {
  private calls = 0;

  constructor(
    readonly urls: readonly string[],
    readonly key: string,
    readonly entityId: number,
  ) {}

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(body), headers);
  }

  /** The same company with other processes. */
  through(...urls: string[]): Company {
    return new Company(urls, this.key, this.entityId);
  }

  send(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const url = this.urls[this.calls++ % this.urls.length] ?? '';
    const authorization = `Bearer ${this.key}`;
    return exchange(url, { method, path, headers: { authorization, ...headers }, body });
  }
}

/** Creates a company with one entity. */
export async function newCompany(service: TestService, urls: readonly string[]): Promise<Company> {
  const { ownerKey } = await service.createCompany('Trial');
  const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const made = await service.request<{ clientId: number }>('POST', '/clients/create', client, ownerKey);
  return new Company(urls, ownerKey, made.body.clientId);
}

/** Returns the id of the company, which no answer of the API contains. */
export async function companyIdOf(service: TestService, { entityId }: Company): Promise<number> {
  const sql = 'select company_id::int as id from entities where id = $1';
  const [row] = await service.database.query<{ id: number }>(sql, [entityId]);
  if (!row) throw new Error('the company has no such client');
  return row.id;
}

export const read = <T = Json>({ text }: Answer): T => JSON.parse(text) as T;

export const chance = (probability: number): boolean => Math.random() < probability;

/** Returns a random integer from 0 to `count - 1`. */
export const oneOf = (count: number): number => Math.floor(Math.random() * count);

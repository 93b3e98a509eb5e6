import type { TestService } from '@counterfoil/test-harness';
import type { DescribedApi } from './described-api';
import type { Answer } from './http-exchange';
import { upload } from './uploads';

export type Json = Record<string, unknown>;

/** Any JSON object. */
export type Body = Readonly<Record<string, unknown>>;

export interface ExpenseFields {
  readonly id: number;
  readonly entityId: number;
  readonly title: string | null;
  readonly date: string;
  readonly documentNumber: string | null;
  readonly currency: string;
  readonly total: number;
  readonly tax: number;
  readonly deductableTax: number;
  readonly isEquipment: boolean;
  readonly notes: string | null;
  readonly fileId: number | null;
  readonly totalInILS: number | null;
  readonly exchangeRate: number | null;
  readonly exchangeRateDate: string | null;
  readonly createdAt: string;
}

export interface ExpenseRow {
  readonly expense: ExpenseFields;
  readonly vendor: { readonly id: number; readonly name: string };
  readonly user?: { readonly id: number; readonly name: string };
  readonly file?: { readonly id: number; readonly remoteUrl: string };
  readonly source?: string;
  readonly documentVisibleId?: string;
}

export interface ExpenseMade {
  readonly success: boolean;
  readonly expenseId: number;
  readonly possibleDuplicateOf?: readonly number[];
}

export interface PurchaseMade {
  readonly success: boolean;
  readonly purchaseId: number;
  readonly visibleId: string;
}

export interface PurchaseRow {
  readonly id: number;
  readonly visibleId: string;
  readonly type: string;
  readonly vendorId: number;
  readonly vendor: { readonly id: number; readonly name: string };
  readonly documentNumber: string;
  readonly date: string;
  readonly title: string | null;
  readonly currency: string;
  readonly total: number;
  readonly tax: number;
  readonly deductableTax: number;
  readonly notes: string | null;
  readonly status: string;
  readonly cancelled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface List<T> {
  readonly data: readonly T[];
  readonly pagination: Json;
}

/** The references of a body. An expense has both, a supplier invoice only the vendor. */
export interface Refers {
  readonly vendorId: number;
  readonly fileId: number;
}

/** The required fields besides the references. */
export const LEAST_EXPENSE = { date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 };
export const LEAST_PURCHASE = {
  ...{ documentNumber: 'INV-1', date: '2026-11-20', currency: 'ILS', total: 118, tax: 18 },
};

export const encoded = (text: string): string => encodeURIComponent(text);

/**
 * A client for a company's expenses and supplier invoices. It validates every answer against the description.
 */
export class CostsClient {
  private receipts = 0;

  constructor(
    private readonly service: TestService,
    readonly api: DescribedApi,
    readonly key: string,
  ) {}

  /** Creates a company, and returns a client for its owner. */
  async ofNewCompany(): Promise<CostsClient> {
    const { ownerKey } = await this.service.createCompany('Another company');
    return new CostsClient(this.service, this.api, ownerKey);
  }

  async vendor(name = 'Paper Ltd'): Promise<number> {
    const body = { name, taxId: '514000000', type: 'COMPANY' };
    const { key } = this;
    return (await this.api.ok<{ vendorId: number }>('POST /vendors/create', { body, key })).vendorId;
  }

  /** Uploads a file with unique content, unless content is given. Returns its id. */
  async receipt(content = `receipt ${(this.receipts += 1)} of ${this.key}`): Promise<number> {
    return (await upload(this.service.url, content, { key: this.key, fileName: 'receipt.txt' })).id;
  }

  async references(vendorName?: string): Promise<Refers> {
    return { vendorId: await this.vendor(vendorName), fileId: await this.receipt() };
  }

  send(body: unknown, holdsIgnored = false): Promise<Answer> {
    return this.api.send('POST /expenses/create', { body, key: this.key, holdsIgnored });
  }

  create(body: Body): Promise<ExpenseMade> {
    return this.api.ok('POST /expenses/create', { body, key: this.key });
  }

  sendEdit(id: number | string, body: unknown, holdsIgnored = false): Promise<Answer> {
    const at = `/expenses/edit/${id}`;
    return this.api.send('PUT /expenses/edit/{id}', { at, body, key: this.key, holdsIgnored });
  }

  edit(id: number, body: Body): Promise<ExpenseMade> {
    return this.api.ok('PUT /expenses/edit/{id}', { at: `/expenses/edit/${id}`, body, key: this.key });
  }

  sendDelete(id: number | string): Promise<Answer> {
    return this.api.send('DELETE /expenses/delete/{id}', { at: `/expenses/delete/${id}`, key: this.key });
  }

  find(id: number): Promise<ExpenseRow | null> {
    return this.api.ok('GET /expenses/id/{id}', { at: `/expenses/id/${id}`, key: this.key });
  }

  /** Reads an existing record. */
  async read(id: number): Promise<Required<Omit<ExpenseRow, 'source' | 'documentVisibleId'>>> {
    const found = await this.find(id);
    if (!found) throw new Error(`there is no expense ${id}`);
    return found as Required<ExpenseRow>;
  }

  list(query = ''): Promise<List<ExpenseRow>> {
    return this.api.ok('GET /expenses', { at: `/expenses?${query}`, key: this.key });
  }

  sendPurchase(body: unknown, holdsIgnored = false): Promise<Answer> {
    return this.api.send('POST /purchase/create', { body, key: this.key, holdsIgnored });
  }

  purchase(body: Body): Promise<PurchaseMade> {
    return this.api.ok('POST /purchase/create', { body, key: this.key });
  }

  purchases(query = ''): Promise<List<PurchaseRow>> {
    return this.api.ok('GET /purchase', { at: `/purchase?${query}`, key: this.key });
  }

  readPurchase(visibleId: string): Promise<PurchaseRow> {
    const at = `/purchase/id/${visibleId}`;
    return this.api.ok('GET /purchase/id/{visibleId}', { at, key: this.key });
  }

  sendCancel(visibleId: string, body: unknown = { reason: 'entered twice' }): Promise<Answer> {
    const at = `/purchase/cancel/${visibleId}`;
    return this.api.send('POST /purchase/cancel/{visibleId}', { at, body, key: this.key });
  }

  cancel(visibleId: string): Promise<PurchaseMade> {
    const asked = { at: `/purchase/cancel/${visibleId}`, body: { reason: 'entered twice' }, key: this.key };
    return this.api.ok('POST /purchase/cancel/{visibleId}', asked);
  }

  /** Saves the company's own rates: currency, date, rate and, optionally, unit. */
  async rates(...rates: readonly (readonly [string, string, number, number?])[]): Promise<void> {
    const body = {
      rates: rates.map(([currency, date, rate, unit = 1]) => ({ currency, date, rate, unit })),
    };
    await this.api.ok('PUT /exchange-rates', { body, key: this.key });
  }
}

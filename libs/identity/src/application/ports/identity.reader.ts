import type { PlainDate, Transaction } from '@counterfoil/kernel';
import type { Page, PageRequest } from '@counterfoil/pagination';
import type { ApiKey } from '../../domain/api-key';
import type { Company } from '../../domain/company';
import type { CompanyLimits } from '../../domain/company-limits';

/** Reads companies and keys. */
export abstract class IdentityReader {
  /** Null for an unknown id. */
  abstract company(companyId: number): Promise<Company | null>;
  /** The first day on which a document of the company may be dated; null for any. */
  abstract booksClosedUntil(tx: Transaction, companyId: number): Promise<PlainDate | null>;
  /** The limits set for this company; empty where none is. */
  abstract limits(companyId: number): Promise<CompanyLimits>;
  /** The company's keys in use, oldest first. */
  abstract apiKeys(companyId: number, page: PageRequest): Promise<Page<ApiKey>>;
  /** All of the company's keys in use, oldest first, in batches. Leaves out none that stays, if others are revoked meanwhile. */
  abstract allApiKeys(companyId: number): AsyncIterable<readonly ApiKey[]>;
  /** Those of the given keys that are neither revoked nor expired, and whose companies are not suspended. */
  abstract keysInUse(apiKeyIds: readonly number[]): Promise<ReadonlySet<number>>;
}

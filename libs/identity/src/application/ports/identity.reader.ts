import type { Page, PageRequest } from '@counterfoil/pagination';
import type { ApiKey } from '../../domain/api-key';
import type { Company } from '../../domain/company';

/** Reads companies and keys. */
export abstract class IdentityReader {
  /** Null for an unknown id. */
  abstract company(companyId: number): Promise<Company | null>;
  /** The company's keys in use, oldest first. */
  abstract apiKeys(companyId: number, page: PageRequest): Promise<Page<ApiKey>>;
}

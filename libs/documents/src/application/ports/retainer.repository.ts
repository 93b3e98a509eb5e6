import type { Transaction } from '@counterfoil/kernel';
import type { Retainer } from '../../domain/retainer';

/**
 * Stores retainers. Each has a schedule with the same id. A retainer whose schedule has ended is not found.
 */
export abstract class RetainerRepository {
  abstract insert(tx: Transaction, companyId: number, retainer: Retainer, createdAt: Date): Promise<void>;

  /** Null if the company has no such retainer. */
  abstract find(companyId: number, id: number): Promise<Retainer | null>;

  abstract has(companyId: number, id: number): Promise<boolean>;
}

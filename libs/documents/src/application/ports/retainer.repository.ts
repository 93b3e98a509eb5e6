import type { Transaction } from '@counterfoil/kernel';
import type { Retainer } from '../../domain/retainer';

/** Retainers, each beside the schedule that has its id. One whose schedule has ended is there no more. */
export abstract class RetainerRepository {
  abstract insert(tx: Transaction, companyId: number, retainer: Retainer, createdAt: Date): Promise<void>;

  /** Null when the company has no such retainer. */
  abstract find(companyId: number, id: number): Promise<Retainer | null>;

  abstract has(companyId: number, id: number): Promise<boolean>;
}

import { isUniqueViolation, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  ChargeRepository,
  type NewCharge,
  type NewOperation,
  PageTaken,
} from '../../application/ports/charge.repository';
import type { Charge } from '../../domain/charge';
import type { Operation } from '../../domain/operation';
import {
  COUNT_DECLINED_ON_PAGE,
  COUNT_OPERATIONS,
  END_OPERATION,
  INSERT_CHARGE,
  INSERT_OPERATION,
  LIST_PENDING,
  LOCK_CHARGE,
  SAVE_CHARGE,
} from './charge.sql';

@Injectable()
export class PostgresChargeRepository extends ChargeRepository {
  override async insert(tx: Transaction, companyId: number, charge: NewCharge, at: Date): Promise<Charge> {
    try {
      return await within(tx).only(INSERT_CHARGE, { companyId, charge, at });
    } catch (error) {
      throw isUniqueViolation(error, 'charges_paying') ? new PageTaken() : error;
    }
  }

  override async countDeclinedOn(tx: Transaction, companyId: number, paymentPageId: number): Promise<number> {
    return (await within(tx).only(COUNT_DECLINED_ON_PAGE, { companyId, paymentPageId })).declined;
  }

  override lock(tx: Transaction, companyId: number, chargeId: number): Promise<Charge | null> {
    return within(tx).first(LOCK_CHARGE, { companyId, chargeId });
  }

  override async save(tx: Transaction, companyId: number, charge: Charge): Promise<void> {
    await within(tx).rows(SAVE_CHARGE, { companyId, charge });
  }

  override insertOperation(tx: Transaction, companyId: number, operation: NewOperation): Promise<Operation> {
    return within(tx).only(INSERT_OPERATION, { companyId, operation });
  }

  override async countOperations(
    tx: Transaction,
    companyId: number,
    { chargeId, kind }: Pick<Operation, 'chargeId' | 'kind'>,
  ): Promise<number> {
    return (await within(tx).only(COUNT_OPERATIONS, { companyId, chargeId, kind })).made;
  }

  override pendingOf(tx: Transaction, companyId: number, chargeId: number): Promise<Operation[]> {
    return within(tx).rows(LIST_PENDING, { companyId, chargeId });
  }

  override async endOperation(tx: Transaction, companyId: number, ended: Operation, at: Date): Promise<void> {
    await within(tx).rows(END_OPERATION, { companyId, ended, at });
  }
}

import { randomUUID } from 'node:crypto';
import { isUniqueViolation, managerOf } from '@counterfoil/database';
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
import { CHARGE_COLUMNS, OPERATION_COLUMNS } from './payment-columns';

@Injectable()
export class PostgresChargeRepository extends ChargeRepository {
  override async insert(tx: Transaction, companyId: number, charge: NewCharge, at: Date): Promise<Charge> {
    const { tokenId, paymentPageId = null, recurringPaymentId = null, runDate = null } = charge;
    try {
      const [inserted] = await managerOf(tx).query<Charge[]>(
        `insert into charges as c (company_id, payment_method_id, payment_page_id, recurring_payment_id, run_date,
           entity_id, document_id, amount, currency, status, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'PENDING', $10, $10) returning ${CHARGE_COLUMNS}`,
        [
          ...[companyId, tokenId, paymentPageId, recurringPaymentId, runDate],
          ...[charge.entityId, charge.documentId, charge.amount, charge.currency, at],
        ],
      );
      if (!inserted) throw new Error('the insert returned no row');
      return inserted;
    } catch (error) {
      throw isUniqueViolation(error, 'charges_paying') ? new PageTaken() : error;
    }
  }

  override async countOn(tx: Transaction, companyId: number, paymentPageId: number): Promise<number> {
    const [row] = await managerOf(tx).query<{ made: number }[]>(
      'select count(*) as made from charges where company_id = $1 and payment_page_id = $2',
      [companyId, paymentPageId],
    );
    return row?.made ?? 0;
  }

  override async lock(tx: Transaction, companyId: number, chargeId: number): Promise<Charge | null> {
    const [found] = await managerOf(tx).query<Charge[]>(
      `select ${CHARGE_COLUMNS} from charges c where c.company_id = $1 and c.id = $2 for no key update`,
      [companyId, chargeId],
    );
    return found ?? null;
  }

  override async save(tx: Transaction, companyId: number, charge: Charge): Promise<void> {
    const { id, status, capturedAmount, refundedAmount, failureCode, updatedAt } = charge;
    await managerOf(tx).query(
      `update charges set status = $3, captured_amount = $4, refunded_amount = $5, failure_code = $6, updated_at = $7
        where company_id = $1 and id = $2`,
      [companyId, id, status, capturedAmount, refundedAmount, failureCode, updatedAt],
    );
  }

  override async insertOperation(
    tx: Transaction,
    companyId: number,
    { chargeId, kind, amount, reason = null, createdAt, nextAttemptAt }: NewOperation,
  ): Promise<Operation> {
    const [inserted] = await managerOf(tx).query<Operation[]>(
      `insert into charge_operations as o (company_id, charge_id, kind, amount, reason, provider_key, state, created_at,
         next_attempt_at)
       values ($1, $2, $3, $4, $5, $6, 'PENDING', $7, $8) returning ${OPERATION_COLUMNS}`,
      [companyId, chargeId, kind, amount, reason, randomUUID(), createdAt, nextAttemptAt],
    );
    if (!inserted) throw new Error('the insert returned no row');
    return inserted;
  }

  override pendingOf(tx: Transaction, companyId: number, chargeId: number): Promise<Operation[]> {
    return managerOf(tx).query<Operation[]>(
      `select ${OPERATION_COLUMNS} from charge_operations o
        where o.company_id = $1 and o.charge_id = $2 and o.state = 'PENDING' order by o.id`,
      [companyId, chargeId],
    );
  }

  override async endOperation(
    tx: Transaction,
    companyId: number,
    { id, state, failureCode }: Operation,
    at: Date,
  ): Promise<void> {
    await managerOf(tx).query(
      `update charge_operations set state = $3, failure_code = $4, settled_at = $5, lease_token = null, lease_until = null
        where company_id = $1 and id = $2`,
      [companyId, id, state, failureCode, at],
    );
  }
}

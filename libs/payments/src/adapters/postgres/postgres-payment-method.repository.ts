import { within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type NewPaymentMethod,
  PaymentMethodRepository,
} from '../../application/ports/payment-method.repository';
import type { Charge } from '../../domain/charge';
import type { PaymentMethod } from '../../domain/payment-method';
import {
  DETACH,
  FIND,
  FORGET_TOKEN,
  HOLD_OF_CHARGE,
  HOLD_SAVED,
  INSERT,
  LOCK_SAVED,
  LOCK_SPENT,
} from './payment-method.sql';

@Injectable()
export class PostgresPaymentMethodRepository extends PaymentMethodRepository {
  override insert(tx: Transaction, companyId: number, method: NewPaymentMethod): Promise<PaymentMethod> {
    return within(tx).only(INSERT, { companyId, method });
  }

  override async ofCharge(tx: Transaction, companyId: number, { tokenId }: Charge): Promise<PaymentMethod> {
    const method = await within(tx).first(FIND, { companyId, id: tokenId });
    if (!method) throw new Error(`card ${tokenId} is missing`);
    return method;
  }

  override hold(tx: Transaction, companyId: number, id: number): Promise<PaymentMethod | null> {
    return within(tx).first(HOLD_SAVED, { companyId, id });
  }

  override async detach(
    tx: Transaction,
    companyId: number,
    id: number,
    at: Date,
  ): Promise<PaymentMethod | null> {
    const locked = await within(tx).first(LOCK_SAVED, { companyId, id });
    return locked && within(tx).only(DETACH, { companyId, id, at });
  }

  override async forgetSpent(tx: Transaction, companyId: number, chargeId: number): Promise<void> {
    const card = await within(tx).first(HOLD_OF_CHARGE, { companyId, chargeId });
    if (!card?.spent) return;
    await within(tx).rows(LOCK_SPENT, card);
    await within(tx).rows(FORGET_TOKEN, card);
  }
}

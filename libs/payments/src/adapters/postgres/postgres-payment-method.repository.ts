import { managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type NewPaymentMethod,
  PaymentMethodRepository,
} from '../../application/ports/payment-method.repository';
import type { Charge } from '../../domain/charge';
import type { PaymentMethod } from '../../domain/payment-method';
import { METHOD_COLUMNS } from './payment-columns';

/** Whether a charge of `payment_methods m` is still to be settled, for which the provider may have to be told the card. */
const IS_CHARGED = `
  exists (select 1 from charges c where c.company_id = m.company_id and c.payment_method_id = m.id
             and c.status = 'PENDING')`;

@Injectable()
export class PostgresPaymentMethodRepository extends PaymentMethodRepository {
  override async insert(
    tx: Transaction,
    companyId: number,
    method: NewPaymentMethod,
  ): Promise<PaymentMethod> {
    const [inserted] = await managerOf(tx).query<PaymentMethod[]>(
      `insert into payment_methods as m (company_id, provider, sealed_token, brand, last4, expiry_month, expiry_year,
         entity_id, saved, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${METHOD_COLUMNS}`,
      [
        ...[companyId, method.provider, method.sealedToken, method.brand, method.last4],
        ...[method.expiryMonth, method.expiryYear, method.entityId, method.saved, method.createdAt],
      ],
    );
    if (!inserted) throw new Error('the insert returned no row');
    return inserted;
  }

  override async ofCharge(tx: Transaction, companyId: number, { tokenId }: Charge): Promise<PaymentMethod> {
    const [found] = await managerOf(tx).query<PaymentMethod[]>(
      `select ${METHOD_COLUMNS} from payment_methods m where m.company_id = $1 and m.id = $2`,
      [companyId, tokenId],
    );
    if (!found) throw new Error(`card ${tokenId} is missing`);
    return found;
  }

  override async hold(tx: Transaction, companyId: number, id: number): Promise<PaymentMethod | null> {
    const [held] = await managerOf(tx).query<PaymentMethod[]>(
      `select ${METHOD_COLUMNS} from payment_methods m
        where m.company_id = $1 and m.id = $2 and m.saved and m.detached_at is null for share`,
      [companyId, id],
    );
    return held ?? null;
  }

  override async detach(
    tx: Transaction,
    companyId: number,
    id: number,
    at: Date,
  ): Promise<PaymentMethod | null> {
    const manager = managerOf(tx);
    // Locked before anything is read: a charge that holds the card is seen once it is there, one that ends once it has.
    const locked = await manager.query<unknown[]>(
      `select 1 from payment_methods
        where company_id = $1 and id = $2 and saved and detached_at is null for update`,
      [companyId, id],
    );
    if (locked.length === 0) return null;
    const [[detached]] = await manager.query<[PaymentMethod[], number]>(
      `update payment_methods m set detached_at = $3, sealed_token = case when ${IS_CHARGED} then sealed_token end
        where m.company_id = $1 and m.id = $2 returning ${METHOD_COLUMNS}`,
      [companyId, id, at],
    );
    return detached ?? null;
  }

  override async forgetSpent(tx: Transaction, companyId: number, chargeId: number): Promise<void> {
    const manager = managerOf(tx);
    // Whoever removes the card waits for this lock, or is waited for: one of the two sees what the other has done.
    const [card] = await manager.query<{ id: number; spent: boolean }[]>(
      `select m.id, m.sealed_token is not null and (not m.saved or m.detached_at is not null) as spent
         from charges c join payment_methods m on m.id = c.payment_method_id
        where c.company_id = $1 and c.id = $2 for key share of m`,
      [companyId, chargeId],
    );
    if (!card?.spent) return;
    // One after the other: of charges of a card that end at once, the last one has to see that none is open.
    await manager.query('select 1 from payment_methods where id = $1 for no key update', [card.id]);
    await manager.query(
      `update payment_methods m set sealed_token = null where m.id = $1 and not ${IS_CHARGED}`,
      [card.id],
    );
  }
}

import { statement } from '@counterfoil/database';
import type { NewPaymentMethod } from '../../application/ports/payment-method.repository';
import type { SavedCard } from '../../application/ports/payments.reader';
import type { PaymentMethod } from '../../domain/payment-method';

interface OfCompany {
  readonly companyId: number;
}

interface OfMethod extends OfCompany {
  readonly id: number;
}

/** Columns of `payment_methods m`, aliased to the fields of a payment method. */
const COLUMNS = `
  m.id, m.provider, m.brand, m.last4, m.expiry_month as "expiryMonth", m.expiry_year as "expiryYear",
  m.entity_id as "entityId", m.created_at as "createdAt"`;

const BY_ID = 'm.company_id = :companyId and m.id = :id';
const IS_SAVED = 'm.saved and m.detached_at is null';

/** True if a charge of `payment_methods m` is unsettled. The provider may still need the card for it. */
const IS_CHARGED = `
  exists (select from charges c where c.company_id = m.company_id and c.payment_method_id = m.id
             and c.status = 'PENDING')`;

export const INSERT = statement<OfCompany & { readonly method: NewPaymentMethod }, PaymentMethod>(
  'payment_methods: insert',
  `insert into payment_methods as m (company_id, provider, sealed_token, brand, last4, expiry_month, expiry_year,
     entity_id, saved, created_at)
   values (:companyId, :method.provider, :method.sealedToken, :method.brand, :method.last4, :method.expiryMonth,
     :method.expiryYear, :method.entityId, :method.saved, :method.createdAt)
   returning ${COLUMNS}`,
);

export const FIND = statement<OfMethod, PaymentMethod>(
  'payment_methods: find',
  `select ${COLUMNS} from payment_methods m where ${BY_ID}`,
);

/** `offset 0` has each owner looked up by itself, so that the cards are read in the order of their index. */
export const NEXT_SAVED = statement<
  OfCompany & { readonly after: number; readonly limit: number },
  SavedCard
>(
  'payment_methods: next saved',
  `select ${COLUMNS}, e.visible_id as "entityVisibleId", e.name as "entityName"
     from payment_methods m
     left join lateral (select visible_id, name from entities
                         where company_id = m.company_id and id = m.entity_id offset 0) e on true
    where m.company_id = :companyId and m.id > :after and ${IS_SAVED} order by m.id limit :limit`,
);

export const HOLD_SAVED = statement<OfMethod, PaymentMethod>(
  'payment_methods: hold saved',
  `select ${COLUMNS} from payment_methods m where ${BY_ID} and ${IS_SAVED} for share`,
);

/** A separate statement, so that the next one sees all committed charges of the card. */
export const LOCK_SAVED = statement<OfMethod>(
  'payment_methods: lock saved',
  `select from payment_methods m where ${BY_ID} and ${IS_SAVED} for update`,
);

export const DETACH = statement<OfMethod & { readonly at: Date }, PaymentMethod>(
  'payment_methods: detach',
  `update payment_methods m set detached_at = :at, sealed_token = case when ${IS_CHARGED} then sealed_token end
    where ${BY_ID} returning ${COLUMNS}`,
);

/** Conflicts with the lock of the removal, so that either the charge or the removal sees the other. */
export const HOLD_OF_CHARGE = statement<
  OfCompany & { readonly chargeId: number },
  { readonly id: number; readonly spent: boolean }
>(
  'payment_methods: hold of a charge',
  `select m.id, m.sealed_token is not null and (not m.saved or m.detached_at is not null) as spent
     from charges c join payment_methods m on m.id = c.payment_method_id
    where c.company_id = :companyId and c.id = :chargeId for key share of m`,
);

/**
 * Serialises the charges of a card, so that when several end at once, the last one sees that none is open.
 */
export const LOCK_SPENT = statement<{ readonly id: number }>(
  'payment_methods: lock spent',
  'select from payment_methods where id = :id for no key update',
);

export const FORGET_TOKEN = statement<{ readonly id: number }>(
  'payment_methods: forget token',
  `update payment_methods m set sealed_token = null where m.id = :id and not ${IS_CHARGED}`,
);

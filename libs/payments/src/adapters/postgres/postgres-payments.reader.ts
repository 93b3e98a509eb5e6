import { inBatches, Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { REFUSED_RUN_COLUMNS, withRefusal, type WithRefusedRunColumns } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import {
  type ChargeFilter,
  type ChargeRecord,
  type PaymentPageRow,
  PaymentsReader,
  type RecurringPaymentRow,
} from '../../application/ports/payments.reader';
import type { Charge, ChargeStatus } from '../../domain/charge';
import type { Operation } from '../../domain/operation';
import type { PaymentMethod } from '../../domain/payment-method';
import { pageStatusAfter } from '../../domain/payment-page';
import { CHARGES } from './charge.list';
import { CHARGE_COLUMNS, METHOD_COLUMNS, OPERATION_COLUMNS } from './payment-columns';

/** Rows that are read at once. */
const BATCH = 1_000;

const NEWEST = { by: 'id', descending: true } as const;

/** Of rows `p` of `payment_pages`. */
const pagesOf = (rows: string) => `
  select p.id, p.company_id as "companyId", p.page_key as "pageKey", p.provider, p.amount, p.currency, p.description,
         p.entity_id as "entityId", p.created_at as "createdAt", c.id as "chargeId", c.status as "chargeStatus"
    from ${rows} p
    left join lateral (select id, status from charges where payment_page_id = p.id order by id desc limit 1) c on true`;

type StoredPage = Omit<PaymentPageRow, 'status'> & { readonly chargeStatus: ChargeStatus | null };

function pageRow({ chargeStatus, ...page }: StoredPage): PaymentPageRow {
  return { ...page, status: pageStatusAfter(chargeStatus) };
}

@Injectable()
export class PostgresPaymentsReader extends PaymentsReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override charges(companyId: number, filter: ChargeFilter, page: PageRequest): Promise<Page<Charge>> {
    return readPage(this.sql, new ListSql(CHARGES, companyId, { filter, sort: NEWEST }), page);
  }

  override async charge(companyId: number, id: number): Promise<ChargeRecord | null> {
    const [[charge], operations] = await this.sql.snapshot(async (statements) => [
      await statements.rows<Charge>(
        `select ${CHARGE_COLUMNS} from charges c where c.company_id = $1 and c.id = $2`,
        [companyId, id],
      ),
      await statements.rows<Operation>(
        `select ${OPERATION_COLUMNS} from charge_operations o where o.company_id = $1 and o.charge_id = $2
          order by o.id`,
        [companyId, id],
      ),
    ]);
    return charge ? { ...charge, operations } : null;
  }

  override savedCards(companyId: number): AsyncGenerator<readonly PaymentMethod[]> {
    return inBatches(BATCH, (last: PaymentMethod | undefined) =>
      this.sql.rows<PaymentMethod>(
        `select ${METHOD_COLUMNS} from payment_methods m
          where m.company_id = $1 and m.id > $2 and m.saved and m.detached_at is null order by m.id limit ${BATCH}`,
        [companyId, last?.id ?? 0],
      ),
    );
  }

  override async paymentPages(companyId: number, { limit, offset }: PageRequest): Promise<PaymentPageRow[]> {
    const rows = await this.sql.rows<StoredPage>(
      `with page as (
         select * from payment_pages where company_id = $1 order by id desc limit $2 offset $3
       )
       ${pagesOf('page')} order by p.id desc`,
      [companyId, limit, offset],
    );
    return rows.map(pageRow);
  }

  override async paymentPage(pageKey: string): Promise<PaymentPageRow | null> {
    const [found] = await this.sql.rows<StoredPage>(`${pagesOf('payment_pages')} where p.page_key = $1`, [
      pageKey,
    ]);
    return found ? pageRow(found) : null;
  }

  override async recurringPayments(
    companyId: number,
    { limit, offset }: PageRequest,
  ): Promise<RecurringPaymentRow[]> {
    const rows = await this.sql.rows<WithRefusedRunColumns<RecurringPaymentRow>>(
      `with page as (
         select r.id from recurring_payments r join schedules s on s.id = r.id
          where r.company_id = $1 and s.ended_at is null order by r.id desc limit $2 offset $3
       )
       select r.id, r.payment_method_id as "tokenId", r.amount, r.currency, r.entity_id as "entityId", s.interval,
              s.next_run_date as "nextRunDate", r.created_at as "createdAt",
              (select json_build_object('id', c.id, 'status', c.status, 'failureCode', c.failure_code,
                        'runDate', c.run_date)
                 from charges c where c.recurring_payment_id = r.id order by c.run_date desc limit 1) as "lastCharge",
              ${REFUSED_RUN_COLUMNS}
         from page join recurring_payments r using (id) join schedules s using (id) order by r.id desc`,
      [companyId, limit, offset],
    );
    return rows.map(withRefusal);
  }
}

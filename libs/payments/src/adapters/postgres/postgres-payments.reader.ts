import { inBatches, type RowOf, Sql } from '@counterfoil/database';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { withRefusal } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import {
  type ChargeFilter,
  type ChargeRecord,
  type PaymentPageRow,
  PaymentsReader,
  type RecurringPaymentRow,
  type SavedCard,
} from '../../application/ports/payments.reader';
import type { Charge } from '../../domain/charge';
import { pageStatusAfter } from '../../domain/payment-page';
import { CHARGES } from './charge.list';
import { FIND_CHARGE, LIST_OPERATIONS } from './charge.sql';
import { NEXT_SAVED } from './payment-method.sql';
import { FIND_PAGE, FIND_PAGE_OF_COMPANY, LIST_PAGES } from './payment-page.sql';
import { LIST_RECURRING } from './recurring-payment.sql';

/** Rows per batch. */
const BATCH = 1_000;

const NEWEST = { by: 'id', descending: true } as const;

@Injectable()
export class PostgresPaymentsReader extends PaymentsReader {
  constructor(private readonly sql: Sql) {
    super();
  }

  override charges(companyId: number, filter: ChargeFilter, page: PageRequest): Promise<Page<Charge>> {
    return readPage(this.sql, new ListSql(CHARGES, companyId, { filter, sort: NEWEST }), page);
  }

  override charge(companyId: number, id: number): Promise<ChargeRecord | null> {
    const key = { companyId, chargeId: id };
    return this.sql.snapshot(async (statements) => {
      const charge = await statements.first(FIND_CHARGE, key);
      return charge && { ...charge, operations: await statements.rows(LIST_OPERATIONS, key) };
    });
  }

  override savedCards(companyId: number): AsyncGenerator<readonly SavedCard[]> {
    return inBatches(BATCH, (last: SavedCard | undefined) =>
      this.sql.rows(NEXT_SAVED, { companyId, after: last?.id ?? 0, limit: BATCH }),
    );
  }

  override async paymentPages(companyId: number, page: PageRequest): Promise<PaymentPageRow[]> {
    return (await this.sql.rows(LIST_PAGES, { companyId, ...page })).map(pageRow);
  }

  override async pageOfCompany(companyId: number, id: number): Promise<PaymentPageRow | null> {
    const found = await this.sql.first(FIND_PAGE_OF_COMPANY, { companyId, id });
    return found && pageRow(found);
  }

  override async paymentPage(pageKey: string): Promise<PaymentPageRow | null> {
    const found = await this.sql.first(FIND_PAGE, { pageKey });
    return found && pageRow(found);
  }

  override async recurringPayments(companyId: number, page: PageRequest): Promise<RecurringPaymentRow[]> {
    return (await this.sql.rows(LIST_RECURRING, { companyId, ...page })).map(withRefusal);
  }
}

function pageRow({ chargeStatus, ...page }: RowOf<typeof FIND_PAGE>): PaymentPageRow {
  return { ...page, status: pageStatusAfter(chargeStatus) };
}

import { statement } from '@counterfoil/database';
import type { PageRequest } from '@counterfoil/pagination';
import type { PaymentPageRow } from '../../application/ports/payments.reader';
import type { ChargeStatus } from '../../domain/charge';

type StoredPage = Omit<PaymentPageRow, 'status'> & { readonly chargeStatus: ChargeStatus | null };

/** Columns of the rows `p` of `payment_pages`. */
const pagesOf = (rows: string) => `
  select p.id, p.company_id as "companyId", p.page_key as "pageKey", p.provider, p.amount, p.currency, p.description,
         p.entity_id as "entityId", p.created_at as "createdAt", c.id as "chargeId", c.status as "chargeStatus"
    from ${rows} p
    left join lateral (select id, status from charges where payment_page_id = p.id order by id desc limit 1) c on true`;

export const LIST_PAGES = statement<{ readonly companyId: number } & PageRequest, StoredPage>(
  'payment_pages: list',
  `with page as (
     select * from payment_pages where company_id = :companyId order by id desc limit :limit offset :offset
   )
   ${pagesOf('page')} order by p.id desc`,
);

export const FIND_PAGE_OF_COMPANY = statement<
  { readonly companyId: number; readonly id: number },
  StoredPage
>(
  'payment_pages: find of company',
  `${pagesOf('payment_pages')} where p.company_id = :companyId and p.id = :id`,
);

/** The pages of a suspended company take no payments, and are not shown. */
export const FIND_PAGE = statement<{ readonly pageKey: string }, StoredPage>(
  'payment_pages: find',
  `${pagesOf('payment_pages')} where p.page_key = :pageKey
      and not exists (select from companies s where s.id = p.company_id and s.suspended_at is not null)`,
);

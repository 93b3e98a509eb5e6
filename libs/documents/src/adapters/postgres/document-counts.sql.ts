import { statement } from '@counterfoil/database';
import { DOCUMENTS_COUNTED_MAX } from '../../application/ports/document-counts';

export const COUNT_OF_COMPANIES = statement<
  { readonly companyIds: readonly number[] },
  { readonly companyId: number; readonly documents: number }
>(
  'documents: count of companies',
  `select company.id as "companyId", counted.documents
     from unnest(:companyIds::bigint[]) as company (id)
    cross join lateral (
      select count(*)::integer as documents
        from (select from documents where company_id = company.id limit ${DOCUMENTS_COUNTED_MAX}) first) counted`,
);

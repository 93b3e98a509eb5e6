import { statement } from '@counterfoil/database';
import type { CompanyOverview } from '../../application/ports/company-operations';
import { KEYS_COUNTED_MAX } from '../../application/ports/company-operations';
import type { CompanyState, OperationKind } from '../../domain/company-state';

const STATE = `c.id, c.name, c.suspended_at as "suspendedAt", c.erasure_began_at as "erasureBeganAt",
  c.erased_at as "erasedAt", c.records_kept_until as "recordsKeptUntil"`;

export const LOCK_STATE = statement<{ readonly companyId: number }, CompanyState>(
  'company_operations: lock state',
  `select ${STATE} from companies c where c.id = :companyId for no key update`,
);

export const BEGIN = statement<
  {
    readonly companyId: number;
    readonly kind: OperationKind;
    readonly operator: string;
    readonly reason: string | null;
    readonly at: Date;
  },
  { readonly id: number }
>(
  'company_operations: begin',
  `insert into company_operations (company_id, operation, operator, reason, began_at)
   values (:companyId, :kind, :operator, :reason, :at) returning id`,
);

export const END = statement<{ readonly id: number; readonly at: Date; readonly result: string }>(
  'company_operations: end',
  'update company_operations set ended_at = :at, result = :result::jsonb where id = :id',
);

/** Reads at most `KEYS_COUNTED_MAX` keys of each company. */
export const LIST_COMPANIES = statement<{ readonly after: number; readonly limit: number }, CompanyOverview>(
  'company_operations: list companies',
  `select ${STATE}, c.tax_id as "taxId", c.created_at as "createdAt", k.keys, k.last_used_at as "lastUsedAt"
     from (select * from companies where id > :after order by id limit :limit) c
    cross join lateral (
      select count(*)::integer as keys, max(last_used_at) as last_used_at
        from (select last_used_at from api_keys where company_id = c.id and revoked_at is null
               order by id limit ${KEYS_COUNTED_MAX}) first) k
    order by c.id`,
);

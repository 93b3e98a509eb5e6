import { statement } from '@counterfoil/database';
import type { AnsweredRequest } from './logged-request';

type WrittenRequest = Omit<AnsweredRequest, 'ids'> & { readonly ids: string | null };

/** Its commit does not wait for the disk: losing the last rows in a crash of the server does no harm. */
export const APPEND = statement<{ readonly requests: readonly WrittenRequest[] }>(
  'request log: append',
  `insert into request_log (company_id, api_key_id, at, method, route, ids, status, error_code, duration_ms, request_id)
   select company_id, api_key_id, at, method, route, ids::jsonb, status, error_code, duration_ms, request_id
     from unnest(:requests.companyId::bigint[], :requests.apiKeyId::bigint[], :requests.at::timestamptz[],
                 :requests.method::text[], :requests.route::text[], :requests.ids::text[],
                 :requests.status::integer[], :requests.errorCode::text[], :requests.durationMs::real[],
                 :requests.requestId::text[])
       as r (company_id, api_key_id, at, method, route, ids, status, error_code, duration_ms, request_id)
    where set_config('synchronous_commit', 'off', true) is not null`,
);

/** Removes the oldest rows, as long as they are too old. */
export const PURGE = statement<{ readonly before: Date; readonly batch: number }, { readonly id: number }>(
  'request log: purge',
  `delete from request_log
    where id in (select id from (select id, at from request_log order by id limit :batch) oldest where at < :before)
   returning id`,
);

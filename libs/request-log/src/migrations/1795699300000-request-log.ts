import { Migration, type QueryRunner } from '@counterfoil/database';

const STATEMENTS = [
  // The worker purges in the order of the ids, which is nearly that of the times.
  `create table request_log (
     id bigint generated always as identity primary key,
     company_id bigint not null,
     api_key_id bigint not null,
     at timestamptz not null,
     method text not null,
     route text not null,
     ids jsonb,
     status integer not null,
     error_code text,
     duration_ms real not null,
     request_id text not null
   )`,
  // For the list in its order, newest first, and with each filter.
  'create index request_log_at on request_log (company_id, at, id)',
  'create index request_log_route on request_log (company_id, route, at, id)',
  'create index request_log_status on request_log (company_id, status, at, id)',
  'create index request_log_request on request_log (company_id, request_id, at, id)',
];

/** The requests of the last weeks. */
export class RequestLog1795699300000 extends Migration {
  override readonly name = 'RequestLog1795699300000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const sql of STATEMENTS) await runner.query(sql);
  }
}

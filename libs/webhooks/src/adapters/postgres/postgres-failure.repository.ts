import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { type EndpointOutcome, FailureRepository } from '../../application/ports/failure.repository';
import type { EndpointRef } from '../../domain/endpoint';

@Injectable()
export class PostgresFailureRepository extends FailureRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async note(outcomes: readonly EndpointOutcome[], before: Date): Promise<EndpointRef[]> {
    // Only changes are written: most attempts go as the one before.
    await this.sql.rows(
      `update webhook_endpoints e set failing_since = case when o.acknowledged then null else o.at end
         from unnest($1::text[], $2::timestamptz[], $3::boolean[]) as o (id, at, acknowledged)
        where e.id = o.id and (e.failing_since is not null) = o.acknowledged`,
      [
        outcomes.map(({ endpointId }) => endpointId),
        outcomes.map(({ at }) => at),
        outcomes.map(({ acknowledged }) => acknowledged),
      ],
    );
    const failed = outcomes.filter(({ acknowledged }) => !acknowledged);
    if (failed.length === 0) return [];
    return this.sql.rows<EndpointRef>(
      `select id as "endpointId", company_id as "companyId" from webhook_endpoints
        where id = any ($1) and failing_since <= $2 and paused_at is null and deleted_at is null`,
      [failed.map(({ endpointId }) => endpointId), before],
    );
  }
}

import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { type EndpointOutcome, FailureRepository } from '../../application/ports/failure.repository';
import type { EndpointRef } from '../../domain/endpoint';
import { FIND_FAILING, NOTE_OUTCOMES } from './endpoint.sql';

@Injectable()
export class PostgresFailureRepository extends FailureRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async note(outcomes: readonly EndpointOutcome[], before: Date): Promise<EndpointRef[]> {
    await this.sql.rows(NOTE_OUTCOMES, { outcomes });
    const failed = outcomes.filter(({ acknowledged }) => !acknowledged);
    return failed.length === 0 ? [] : this.sql.rows(FIND_FAILING, { failed, before });
  }
}

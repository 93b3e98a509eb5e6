import { Sql } from '@counterfoil/database';
import type { PlainDate } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type BegunLook, RatePollState } from '../../application/ports/rate-poll-state';
import { BEGIN_LOOK, END_LOOK } from './exchange-rate.sql';

@Injectable()
export class PostgresRatePollState extends RatePollState {
  constructor(private readonly sql: Sql) {
    super();
  }

  override begin(
    source: string,
    day: PlainDate,
    now: Date,
    unlessBegunAfter: Date,
  ): Promise<BegunLook | null> {
    return this.sql.first(BEGIN_LOOK, { source, day, now, unlessBegunAfter });
  }

  override async succeed(source: string, day: PlainDate): Promise<void> {
    await this.sql.rows(END_LOOK, { source, day });
  }
}

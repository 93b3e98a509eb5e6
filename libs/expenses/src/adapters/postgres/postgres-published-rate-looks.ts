import { Sql } from '@counterfoil/database';
import type { PlainDate } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type BegunLook, PublishedRateLooks } from '../../application/ports/published-rate-looks';

@Injectable()
export class PostgresPublishedRateLooks extends PublishedRateLooks {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async begin(
    source: string,
    day: PlainDate,
    now: Date,
    unlessBegunAfter: Date,
  ): Promise<BegunLook | null> {
    const [begun] = await this.sql.rows<BegunLook>(
      `insert into published_rate_looks as l (source, attempted_at) values ($1, $2)
           on conflict (source) do update set attempted_at = excluded.attempted_at
        where (l.looked_on is null or l.looked_on < $3) and l.attempted_at <= $4
       returning looked_on as "lookedOn"`,
      [source, now, day, unlessBegunAfter],
    );
    return begun ?? null;
  }

  override async succeed(source: string, day: PlainDate): Promise<void> {
    await this.sql.rows('update published_rate_looks set looked_on = $2 where source = $1', [source, day]);
  }
}

import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { PartyDirectory, type PartyEntry } from '../../application/ports/party-directory';
import { FIND_PARTY } from './party.sql';

@Injectable()
export class PostgresPartyDirectory extends PartyDirectory {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(companyId: number, id: number): Promise<PartyEntry | null> {
    return this.sql.first(FIND_PARTY, { companyId, id });
  }
}

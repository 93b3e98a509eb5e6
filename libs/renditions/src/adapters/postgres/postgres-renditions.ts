import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { type Rendition, type RenditionKey, Renditions } from '../../application/ports/renditions';
import { FIND_RENDITION, HAS_RENDITION, SAVE_RENDITION } from './rendition.sql';

@Injectable()
export class PostgresRenditions extends Renditions {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(key: RenditionKey): Promise<Rendition | null> {
    return this.sql.first(FIND_RENDITION, key);
  }

  override async has(key: RenditionKey): Promise<boolean> {
    return (await this.sql.only(HAS_RENDITION, key)).found;
  }

  override async save(key: RenditionKey, rendition: Rendition): Promise<void> {
    await this.sql.rows(SAVE_RENDITION, { ...key, ...rendition });
  }
}

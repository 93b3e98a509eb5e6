import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import {
  type Rendition,
  type RenditionKey,
  Renditions,
  type StoredRendition,
} from '../../application/ports/renditions';
import { CONTENT, FIND_RENDITION, SAVE_RENDITION } from './rendition.sql';

@Injectable()
export class PostgresRenditions extends Renditions {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(key: RenditionKey): Promise<StoredRendition | null> {
    return this.sql.first(FIND_RENDITION, key);
  }

  override async content(key: RenditionKey): Promise<Buffer> {
    return (await this.sql.only(CONTENT, key)).content;
  }

  override async save(key: RenditionKey, rendition: Rendition): Promise<void> {
    await this.sql.rows(SAVE_RENDITION, { ...key, ...rendition });
  }
}

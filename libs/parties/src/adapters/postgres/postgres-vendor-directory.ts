import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { VendorDirectory, type VendorEntry, type VendorKey } from '../../application/ports/vendor-directory';

@Injectable()
export class PostgresVendorDirectory extends VendorDirectory {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(companyId: number, key: VendorKey): Promise<VendorEntry | null> {
    const [column, value] = 'id' in key ? ['id', key.id] : ['visible_id', key.visibleId];
    const [entry] = await this.sql.rows<VendorEntry>(
      `select id, visible_id as "visibleId", name
         from entities where company_id = $1 and ${column} = $2 and is_vendor`,
      [companyId, value],
    );
    return entry ?? null;
  }

  override async findByTaxId(companyId: number, taxId: string): Promise<VendorEntry | null> {
    const plain = taxId.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (plain === '') return null;
    const [entry, another] = await this.sql.rows<VendorEntry>(
      `select id, visible_id as "visibleId", name from entities
        where company_id = $1 and regexp_replace(tax_id_key, '[^a-z0-9]', '', 'g') = $2 and is_vendor limit 2`,
      [companyId, plain],
    );
    return entry && !another ? entry : null;
  }
}

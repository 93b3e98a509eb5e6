import { Sql } from '@counterfoil/database';
import { plainBusinessName, withoutLegalForm } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { VendorDirectory, type VendorEntry, type VendorKey } from '../../application/ports/vendor-directory';
import { FIND_VENDOR, FIND_VENDORS, FIND_VENDORS_NAMED_LIKE } from './party.sql';

@Injectable()
export class PostgresVendorDirectory extends VendorDirectory {
  constructor(private readonly sql: Sql) {
    super();
  }

  override find(companyId: number, key: VendorKey): Promise<VendorEntry | null> {
    return this.sql.first(FIND_VENDOR, { companyId, key });
  }

  override async findByTaxId(companyId: number, taxId: string): Promise<VendorEntry | null> {
    const plainTaxId = taxId.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (plainTaxId === '') return null;
    const [entry, another] = await this.sql.rows(FIND_VENDORS, { companyId, plainTaxId });
    return entry && !another ? entry : null;
  }

  override async findByName(companyId: number, name: string): Promise<VendorEntry | null> {
    const plainName = plainBusinessName(name);
    const beginning = withoutLegalForm(name);
    const entries = await this.sql.rows(FIND_VENDORS_NAMED_LIKE, { companyId, beginning });
    const [entry, another] = entries.filter((each) => plainBusinessName(each.name) === plainName);
    return entry && !another ? entry : null;
  }
}

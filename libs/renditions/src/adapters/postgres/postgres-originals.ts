import { within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { Originals } from '../../application/ports/originals';
import { TAKE_ORIGINAL } from './original.sql';

@Injectable()
export class PostgresOriginals extends Originals {
  override async take(tx: Transaction, companyId: number, documentId: number): Promise<boolean> {
    return (await within(tx).first(TAKE_ORIGINAL, { companyId, documentId })) !== null;
  }
}

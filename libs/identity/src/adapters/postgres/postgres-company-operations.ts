import { managerOf, Sql, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  CompanyOperations,
  type CompanyOverview,
  type StateChange,
} from '../../application/ports/company-operations';
import type { CompanyState, OperationKind, OperatorNote } from '../../domain/company-state';
import { BEGIN, END, LIST_COMPANIES, LOCK_STATE } from './company-operation.sql';
import { CompanySchema } from './identity.schema';

@Injectable()
export class PostgresCompanyOperations extends CompanyOperations {
  constructor(private readonly sql: Sql) {
    super();
  }

  override lock(tx: Transaction, companyId: number): Promise<CompanyState | null> {
    return within(tx).first(LOCK_STATE, { companyId });
  }

  override async change(tx: Transaction, companyId: number, change: StateChange): Promise<void> {
    await managerOf(tx).update(CompanySchema, { id: companyId }, change);
  }

  override async begin(
    tx: Transaction,
    operation: OperatorNote & {
      readonly companyId: number;
      readonly kind: OperationKind;
      readonly at: Date;
    },
  ): Promise<number> {
    return (await within(tx).only(BEGIN, operation)).id;
  }

  override async end(
    tx: Transaction,
    { result, ...ended }: { readonly id: number; readonly at: Date; readonly result: object },
  ): Promise<void> {
    await within(tx).changed(END, { ...ended, result: JSON.stringify(result) });
  }

  override list(page: {
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly CompanyOverview[]> {
    return this.sql.rows(LIST_COMPANIES, page);
  }
}

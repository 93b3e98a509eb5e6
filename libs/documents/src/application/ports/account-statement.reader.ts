import type { PlainDate } from '@counterfoil/kernel';
import type { StatementFacts, StatementPeriod } from '../../domain/account-statement';

export interface StatementQuestion extends StatementPeriod {
  readonly entityId: number;
  readonly currency: string;
  /** The day for which the age of open amounts is computed. */
  readonly asOf: PlainDate;
}

export abstract class AccountStatementReader {
  /** All facts are of one moment. */
  abstract facts(companyId: number, question: StatementQuestion): Promise<StatementFacts>;
}

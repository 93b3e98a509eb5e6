import { CompanyTransactions, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';

/** Opens the transactions that change a company's expenses, which wait for each other to be counted. */
@Injectable()
export class ExpenseTransactions extends CompanyTransactions {
  constructor(transactions: Transactions) {
    super(transactions, 'expenses');
  }
}

import { CompanyTransactions, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';

/**
 * Opens the transactions that change a company's expenses. They wait for each other because they update a
 * shared counter.
 */
@Injectable()
export class ExpenseTransactions extends CompanyTransactions {
  constructor(transactions: Transactions) {
    super(transactions, 'expenses');
  }
}

import { CompanyTransactions, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';

/**
 * Opens the transactions that change a company's documents. They wait for each other because they number
 * their changes.
 */
@Injectable()
export class DocumentTransactions extends CompanyTransactions {
  constructor(transactions: Transactions) {
    super(transactions, 'documents');
  }
}

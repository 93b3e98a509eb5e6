import { CompanyTransactions, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';

/** Opens the transactions that change a company's documents, which wait for each other for the next number. */
@Injectable()
export class DocumentTransactions extends CompanyTransactions {
  constructor(transactions: Transactions) {
    super(transactions, 'documents');
  }
}

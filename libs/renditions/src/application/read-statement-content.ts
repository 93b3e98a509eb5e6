import { ReadAccountStatement, type StatementChoice } from '@counterfoil/documents';
import { IdentityReader } from '@counterfoil/identity';
import { AppError, type DocumentLanguage } from '@counterfoil/kernel';
import { PartyDirectory } from '@counterfoil/parties';
import { Injectable } from '@nestjs/common';
import { statementContent } from './statement-to-print';
import type { StatementContent } from './temporary-content';

/** The statement whose file a caller asks for. */
export interface StatementFileChoice extends StatementChoice {
  /** Null: the language of the client's documents, of the company's, or of the names. */
  readonly language: DocumentLanguage | null;
}

/** Reads all that the pages of a statement of account show (contract §8.20). */
@Injectable()
export class ReadStatementContent {
  constructor(
    private readonly readStatement: ReadAccountStatement,
    private readonly identities: IdentityReader,
    private readonly directory: PartyDirectory,
  ) {}

  /** @throws AppError what `ReadAccountStatement` throws; `NOT_FOUND` for an unknown client */
  async execute(companyId: number, { language, ...choice }: StatementFileChoice): Promise<StatementContent> {
    const [statement, company, client] = await Promise.all([
      this.readStatement.execute(companyId, choice),
      this.identities.company(companyId),
      this.directory.find(companyId, choice.entityId),
    ]);
    if (!company || !client) throw new AppError('NOT_FOUND', 'no such client');
    return statementContent(company, client, statement, language);
  }
}

import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { completedNote } from '../domain/credit-note';
import type { DraftDocument } from '../domain/draft-document';
import { roundingOf } from '../domain/totals';
import { DocumentRepository } from './ports/document.repository';

/** Lets credit notes reach the total of the document that they credit, if that was rounded. */
@Injectable()
export class CreditNotes {
  constructor(private readonly documents: DocumentRepository) {}

  /** Any other document stays as it is. Call it where no other document of the company can be issued meanwhile. */
  async complete(tx: Transaction, companyId: number, draft: DraftDocument): Promise<DraftDocument> {
    if (draft.refundOf === null) return draft;
    const [credited] = await this.documents.load(tx, companyId, [draft.refundOf]);
    if (!credited || roundingOf(credited) === 0) return draft;
    return completedNote(draft, credited, await this.documents.creditedOf(tx, companyId, credited.id));
  }
}

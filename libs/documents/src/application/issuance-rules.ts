import { IdentityReader } from '@counterfoil/identity';
import {
  AppError,
  Clock,
  type PlainDate,
  plainDateOf,
  sum,
  toMoney,
  type Transaction,
  validationFailed,
} from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { completedNote } from '../domain/credit-note';
import { isDebt } from '../domain/document-type';
import { closedDayProblem, type DraftDocument } from '../domain/draft-document';
import type { LinksInput } from '../domain/settlement';
import { DocumentRepository } from './ports/document.repository';
import { type Linked, type PlannedSettlement, Settlements } from './settlements';

/** The currency of credit limits. Documents in other currencies do not count. */
const CREDIT_CURRENCY = 'ILS';

/** A document to issue, with its links. */
export interface Wanted {
  readonly draft: DraftDocument;
  readonly links: LinksInput;
  /** The credit limit of the client; null if it has none. */
  readonly creditLimit: number | null;
}

/** A valid document, and the settlements that it makes. */
export interface Planned {
  readonly draft: DraftDocument;
  readonly settlements: PlannedSettlement[];
}

/**
 * Rules that depend on the company's other documents and books. Call these methods while no other document of
 * the company can be issued until the transaction ends.
 */
@Injectable()
export class IssuanceRules {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly settlements: Settlements,
    private readonly identities: IdentityReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Refuses a date in a period that was closed while this document waited for the lock. Closing the books
   * takes the lock of the company's documents too. Documents dated today need no query, because today is
   * never closed.
   *
   * @throws AppError `VALIDATION_FAILED` for a day before `booksClosedUntil`
   */
  async assertOpen(tx: Transaction, companyId: number, issueDate: PlainDate): Promise<void> {
    if (issueDate >= plainDateOf(this.clock.now())) return;
    const problem = closedDayProblem(issueDate, await this.identities.booksClosedUntil(tx, companyId));
    if (problem) throw validationFailed([problem]);
  }

  /**
   * Completes a credit note, and plans the settlements of the document.
   *
   * @throws AppError `UNKNOWN_REFERENCE`, `VALIDATION_FAILED` or `INVALID_STATE` with the field of the link,
   *   `LIMIT_REACHED` if the client would exceed its credit limit
   */
  async plan(
    tx: Transaction,
    companyId: number,
    { draft: requested, links, creditLimit }: Wanted,
  ): Promise<Planned> {
    const linked = await this.settlements.find(tx, companyId, links);
    const draft = completed(requested, linked);
    const settlements = this.settlements.plan(draft, links, linked);
    if (creditLimit !== null) await this.assertCredit(tx, companyId, draft, creditLimit);
    return { draft, settlements };
  }

  /** Checks that the client stays within its credit limit (docs/documents.md). */
  private async assertCredit(
    tx: Transaction,
    companyId: number,
    { type, currency, entityId, totalWithTax }: DraftDocument,
    creditLimit: number,
  ): Promise<void> {
    if (!isDebt(type) || currency !== CREDIT_CURRENCY || totalWithTax === 0) return;
    const balance = await this.documents.balanceOf(tx, companyId, entityId);
    const owed = toMoney(sum([balance, totalWithTax]));
    if (owed <= creditLimit) return;
    throw new AppError(
      'LIMIT_REACHED',
      `the client would owe ${owed} ${CREDIT_CURRENCY}, and its creditLimit is ${creditLimit}`,
    );
  }
}

/** Adapts the total of a credit note to what is left of the credited document. */
function completed(draft: DraftDocument, { targets, credited }: Linked): DraftDocument {
  const invoice = draft.refundOf === null ? undefined : targets.get(draft.refundOf);
  return invoice ? completedNote(draft, invoice, credited) : draft;
}

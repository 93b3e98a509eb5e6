import { IdentityReader } from '@counterfoil/identity';
import { Clock, type PlainDate, plainDateOf, type Transaction, validationFailed } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { closedDayProblem } from '../domain/draft-document';

/** Keeps documents out of days that were closed while they waited for their turn. */
@Injectable()
export class OpenDays {
  constructor(
    private readonly identities: IdentityReader,
    private readonly clock: Clock,
  ) {}

  /**
   * Call it under the lock of the company's documents, which closing its books takes as well. A document of today costs
   * nothing: today is never closed.
   *
   * @throws AppError `VALIDATION_FAILED` for a day before `booksClosedUntil`
   */
  async assertOpen(tx: Transaction, companyId: number, issueDate: PlainDate): Promise<void> {
    if (issueDate >= plainDateOf(this.clock.now())) return;
    const problem = closedDayProblem(issueDate, await this.identities.booksClosedUntil(tx, companyId));
    if (problem) throw validationFailed([problem]);
  }
}

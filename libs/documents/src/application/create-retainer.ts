import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import {
  AppError,
  type Caller,
  Clock,
  plainDateOf,
  type Transaction,
  validationFailed,
} from '@counterfoil/kernel';
import {
  assertFirstRun,
  assertRunsMissed,
  countDueRuns,
  ScheduleJobs,
  Schedules,
} from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { documentOf, type NewRetainer, retainerPeriod } from '../domain/retainer';
import { DocumentDrafts } from './document-drafts';
import { DocumentTransactions } from './document-transactions';
import { RetainerMails } from './ports/retainer-mails';
import { RetainerRepository } from './ports/retainer.repository';

/** Companies enter documents of past years, and can credit documents issued by mistake. */
const YEARS_MISSED_MAX = 10;
/**
 * Ten years of months, or three of weeks. The event of every document goes to up to 50 endpoints, so ten
 * years of weeks could cause 26,100 requests for one call.
 */
const RUNS_MISSED_MAX = 160;

/** Creates an order to issue documents at intervals. */
@Injectable()
export class CreateRetainer {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly idempotency: Idempotency,
    private readonly retainers: RetainerRepository,
    private readonly drafts: DocumentDrafts,
    private readonly mails: RetainerMails,
    private readonly schedules: Schedules,
    private readonly jobs: ScheduleJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @returns the id of the retainer
   * @throws IdempotencyKeyTaken
   * @throws AppError `VALIDATION_FAILED` and `UNKNOWN_REFERENCE` for the reasons that would refuse its first
   * document, `VALIDATION_FAILED`, `INVALID_STATE` and `LIMIT_REACHED` if its documents cannot be sent
   */
  async execute(
    { companyId }: Caller,
    { interval, nextRunDate, send = null, ...terms }: NewRetainer,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    const now = this.clock.now();
    const today = plainDateOf(now);
    assertFirstRun(nextRunDate, today, YEARS_MISSED_MAX);
    assertRunsMissed({ nextRunDate, interval }, today, RUNS_MISSED_MAX);
    const asOf = nextRunDate > today ? nextRunDate : today;
    const period = retainerPeriod({ firstRunDate: nextRunDate, interval }, 0);
    await this.drafts.draft(companyId, documentOf(terms, period), asOf).catch(namingNextRunDate);
    const documents = countDueRuns({ nextRunDate, interval }, today);
    const sending = send && (await this.mails.check(companyId, { sending: send, documents }));
    const open = async (tx: Transaction) => {
      const schedule = { kind: 'RETAINER', interval, firstRunDate: nextRunDate } as const;
      const id = await this.schedules.open(tx, companyId, schedule);
      await this.retainers.insert(tx, companyId, { id, ...terms, send: sending }, now);
      if (nextRunDate <= today) this.jobs.signalAfter(tx, companyId);
      return id;
    };
    return this.transactions.run(companyId, this.idempotency.wrap(companyId, call, open));
  }
}

/** Renames the field of an error: the date of the first document comes from `nextRunDate`. */
function namingNextRunDate(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
  throw validationFailed(
    (error.details ?? []).map(({ field, problem }) => ({
      field: field === 'issueDate' ? 'nextRunDate' : field,
      problem,
    })),
  );
}

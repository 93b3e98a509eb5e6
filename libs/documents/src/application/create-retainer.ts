import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import {
  AppError,
  type Caller,
  Clock,
  plainDateOf,
  type Transaction,
  validationFailed,
} from '@counterfoil/kernel';
import { assertFirstRun, assertRunsMissed, ScheduleJobs, Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { documentOf, type NewRetainer } from '../domain/retainer';
import { DocumentDrafts } from './document-drafts';
import { DocumentTransactions } from './document-transactions';
import { RetainerRepository } from './ports/retainer.repository';

/** Books are kept up for past years, and documents that were issued can be credited. */
const YEARS_MISSED_MAX = 10;
/**
 * Ten years of months, or three of weeks. Every document's event goes to each of 50 endpoints: ten years of weeks would
 * be 26,100 requests for one call.
 */
const RUNS_MISSED_MAX = 160;

/** Has documents issued at intervals, from a day on. */
@Injectable()
export class CreateRetainer {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly idempotency: Idempotency,
    private readonly retainers: RetainerRepository,
    private readonly drafts: DocumentDrafts,
    private readonly schedules: Schedules,
    private readonly jobs: ScheduleJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @returns its id
   * @throws IdempotencyKeyTaken
   * @throws AppError `VALIDATION_FAILED` and `UNKNOWN_REFERENCE` for what its first document would be refused for
   */
  async execute(
    { companyId }: Caller,
    { interval, nextRunDate, ...terms }: NewRetainer,
    call: IdempotentCall<number> | null = null,
  ): Promise<number> {
    const now = this.clock.now();
    const today = plainDateOf(now);
    assertFirstRun(nextRunDate, today, YEARS_MISSED_MAX);
    assertRunsMissed({ nextRunDate, interval }, today, RUNS_MISSED_MAX);
    const asOf = nextRunDate > today ? nextRunDate : today;
    await this.drafts.draft(companyId, documentOf(terms, nextRunDate), asOf).catch(namingNextRunDate);
    const open = async (tx: Transaction) => {
      const schedule = { kind: 'RETAINER', interval, firstRunDate: nextRunDate } as const;
      const id = await this.schedules.open(tx, companyId, schedule);
      await this.retainers.insert(tx, companyId, { id, ...terms }, now);
      if (nextRunDate <= today) this.jobs.signalAfter(tx, companyId);
      return id;
    };
    return this.transactions.run(companyId, this.idempotency.wrap(companyId, call, open));
  }
}

/** The date of the first document comes from `nextRunDate`, so that its problems are reported under that name. */
function namingNextRunDate(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error;
  throw validationFailed(
    (error.details ?? []).map(({ field, problem }) => ({
      field: field === 'issueDate' ? 'nextRunDate' : field,
      problem,
    })),
  );
}

import { type Caller, Clock, plainDateOf } from '@counterfoil/kernel';
import { assertFirstRun, ScheduleJobs, Schedules } from '@counterfoil/scheduling';
import { Injectable } from '@nestjs/common';
import { documentOf, type NewRetainer } from '../domain/retainer';
import { DocumentDrafts } from './document-drafts';
import { DocumentTransactions } from './document-transactions';
import { RetainerRepository } from './ports/retainer.repository';

/** Books are kept up for past years, and documents that were issued can be credited. */
const YEARS_MISSED_MAX = 10;

/** Has documents issued at intervals, from a day on. */
@Injectable()
export class CreateRetainer {
  constructor(
    private readonly transactions: DocumentTransactions,
    private readonly retainers: RetainerRepository,
    private readonly drafts: DocumentDrafts,
    private readonly schedules: Schedules,
    private readonly jobs: ScheduleJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns its id
   * @throws AppError `VALIDATION_FAILED` and `UNKNOWN_REFERENCE` for what its first document would be refused for
   */
  async execute({ companyId }: Caller, { interval, nextRunDate, ...terms }: NewRetainer): Promise<number> {
    const now = this.clock.now();
    assertFirstRun(nextRunDate, plainDateOf(now), YEARS_MISSED_MAX);
    await this.drafts.draft(companyId, documentOf(terms, nextRunDate));
    return this.transactions.run(companyId, async (tx) => {
      const schedule = { kind: 'RETAINER', interval, firstRunDate: nextRunDate } as const;
      const id = await this.schedules.open(tx, companyId, schedule);
      await this.retainers.insert(tx, companyId, { id, ...terms }, now);
      if (nextRunDate <= plainDateOf(now)) this.jobs.signalAfter(tx, companyId);
      return id;
    });
  }
}

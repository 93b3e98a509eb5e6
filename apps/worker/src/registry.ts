import { PurgeAuditLog, SealAuditLog } from '@counterfoil/audit-log';
import { Config } from '@counterfoil/config';
import { BillRetainer, RequestAllocationNumber, RecoverAllocationNumbers } from '@counterfoil/documents';
import { LoadPublishedRates, ReadReceipts, RevalueExpenses } from '@counterfoil/expenses';
import { RemoveAbandonedUploads } from '@counterfoil/files';
import { PurgeIdempotencyKeys } from '@counterfoil/idempotency';
import { DeliverMail, QueueReminders, RecoverMails, ReminderJobs } from '@counterfoil/mail';
import {
  ChargeRecurringPayment,
  ResolveProviderRequest,
  RecoverProviderRequests,
} from '@counterfoil/payments';
import type { JobHandlers } from '@counterfoil/queue';
import { PurgeRateCounters } from '@counterfoil/rate-limits';
import { RenderDocument, RenderPreview, RenderStatement, RenderTemporaryFile } from '@counterfoil/renditions';
import { PurgeRequestLog } from '@counterfoil/request-log';
import { CompanyBatch, ScheduleJobs, type WorkOfKinds } from '@counterfoil/scheduling';
import {
  EndpointDispatcher,
  FanOutEvents,
  PurgeDeliveries,
  RunRedelivery,
  RecoverDeliveries,
  TakeOverDeliveries,
} from '@counterfoil/webhooks';
import type { Backlog } from '@counterfoil/kernel';
import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { EventRelay } from './event-relay';

/** How late a change appears in the audit log, at most. */
const SEALING_INTERVAL_MS = 1_000;
/** A caller waits for each reading, and must not notice that its signal was lost because Redis is away. */
const READING_INTERVAL_MS = 200;
/** Redis may lose signals of events while it is away, and for a while after it. */
const RELAY_INTERVAL_MS = 500;
/**
 * Without Redis, the signal is in the same database as the reading. What remains are readings that a worker gave back,
 * or whose signal reached a worker without room.
 */
const READING_INTERVAL_WITHOUT_REDIS_MS = 1_000;
const TEN_MINUTES_MS = 600_000;
const HOUR_MS = 3_600_000;

/** Work that is repeated at intervals. Several workers may run the same task at once. */
export interface Task {
  /** From the end of one run to the start of the next. */
  readonly pauseMs: number;
  readonly name: string;
  /** @param signal aborts work that takes long, when the worker stops */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
}

interface Measured {
  backlog(): Promise<Backlog>;
}

interface Stoppable {
  stop(): void | Promise<void>;
}

/** Everything the worker does. A job or a kind of schedule without an entry does not compile. */
@Injectable()
export class Registry {
  constructor(
    private readonly modules: ModuleRef,
    private readonly config: Config,
  ) {}

  /** The use case behind each job. */
  jobs(): JobHandlers {
    const relay = this.get(EventRelay);
    const lanes = this.get(EndpointDispatcher);
    const runRedelivery = this.get(RunRedelivery);
    const requestAllocationNumber = this.get(RequestAllocationNumber);
    const readReceipts = this.get(ReadReceipts);
    const companyBatch = this.get(CompanyBatch);
    const renderDocument = this.get(RenderDocument);
    const renderStatement = this.get(RenderStatement);
    const renderPreview = this.get(RenderPreview);
    const deliverMail = this.get(DeliverMail);
    const queueReminders = this.get(QueueReminders);
    const resolveProviderRequest = this.get(ResolveProviderRequest);
    const scheduledWork = this.scheduledWork();
    return {
      'outbox.relay': () => relay.run(),
      'webhook.lane': async (endpoint) => lanes.wake([endpoint]),
      'webhook.replay': ({ replayId }) => runRedelivery.execute(replayId),
      'approval.request': () => requestAllocationNumber.execute(),
      'receipt.read': () => readReceipts.execute(),
      'document.render': (payload) => renderDocument.execute(payload),
      'statement.render': (payload) => renderStatement.execute(payload),
      'preview.render': (payload) => renderPreview.execute(payload),
      'mail.send': () => deliverMail.execute(),
      'reminder.queue': ({ companyId, turn }) => queueReminders.execute(companyId, turn),
      'schedule.run': ({ companyId, turn }) => companyBatch.execute(companyId, turn, scheduledWork),
      'payment.settle': ({ operationId }) => resolveProviderRequest.execute(operationId),
    };
  }

  /** The work of each kind of schedule, done by the job `schedule.run`. */
  private scheduledWork(): WorkOfKinds {
    return { RETAINER: this.get(BillRetainer), RECURRING_PAYMENT: this.get(ChargeRecurringPayment) };
  }

  tasks(): readonly Task[] {
    const intervalMs = this.config.schedulerIntervalMs;
    const mayMissSignals = this.config.redisUrl !== null;
    const readingsMs = Math.min(
      intervalMs,
      mayMissSignals ? READING_INTERVAL_MS : READING_INTERVAL_WITHOUT_REDIS_MS,
    );
    const schedules = this.get(ScheduleJobs);
    const receipts = this.get(ReadReceipts);
    return [
      // Recovery: these find due work in PostgreSQL, so a job that the queue loses only delays it.
      every(intervalMs, 'recover deliveries', this.get(RecoverDeliveries)),
      every(intervalMs, 'recover allocation numbers', this.get(RecoverAllocationNumbers)),
      every(intervalMs, 'recover mails', this.get(RecoverMails)),
      every(intervalMs, 'signal due reminders', this.get(ReminderJobs)),
      every(intervalMs, 'recover provider requests', this.get(RecoverProviderRequests)),
      every(intervalMs, 'signal due schedules', { execute: () => schedules.signalDue() }),
      every(readingsMs, 'read receipts', receipts),
      ...(mayMissSignals
        ? [every(Math.min(intervalMs, RELAY_INTERVAL_MS), 'relay events', this.get(FanOutEvents))]
        : []),
      // Work that has no job.
      every(Math.min(intervalMs, SEALING_INTERVAL_MS), 'seal audit log', this.get(SealAuditLog)),
      every(intervalMs, 'revalue expenses', this.get(RevalueExpenses)),
      every(HOUR_MS, 'load published rates', this.get(LoadPublishedRates)),
      // Housekeeping: these remove expired data and what killed processes have left.
      every(HOUR_MS, 'purge audit log', this.get(PurgeAuditLog)),
      every(TEN_MINUTES_MS, 'purge request log', this.get(PurgeRequestLog)),
      every(HOUR_MS, 'purge deliveries', this.get(PurgeDeliveries)),
      every(HOUR_MS, 'purge idempotency keys', this.get(PurgeIdempotencyKeys)),
      every(TEN_MINUTES_MS, 'remove abandoned uploads', this.get(RemoveAbandonedUploads)),
      every(TEN_MINUTES_MS, 'purge rate counters', this.get(PurgeRateCounters)),
      every(TEN_MINUTES_MS, 'purge temporary files', {
        execute: (signal) => this.get(RenderTemporaryFile).purge(signal),
      }),
      every(TEN_MINUTES_MS, 'purge readings', { execute: (signal) => receipts.purge(signal) }),
    ];
  }

  /** The kinds of work whose backlog is exported as a metric. Each key is the value of the metric's label `work`. */
  backlogs(): Readonly<Record<string, Measured>> {
    return {
      audit_entries: this.get(SealAuditLog),
      events: this.get(FanOutEvents),
      deliveries: this.get(RecoverDeliveries),
      allocation_numbers: this.get(RecoverAllocationNumbers),
      mails: this.get(RecoverMails),
      provider_requests: this.get(RecoverProviderRequests),
      readings: this.get(ReadReceipts),
      schedules: this.get(ScheduleJobs),
    };
  }

  /** Returns the workers with work that can be taken over from them if they have ended. */
  findOwners(): Promise<readonly number[]> {
    return this.get(TakeOverDeliveries).findOwners();
  }

  /** Takes over the deliveries of workers that have ended. @param workers their ids */
  takeOver(workers: readonly number[]): Promise<void> {
    return this.get(TakeOverDeliveries).execute(workers);
  }

  /** Use cases to stop together with the worker, because they may run for long, or beyond their job. */
  stoppable(): readonly Stoppable[] {
    const types: readonly Type<Stoppable>[] = [
      ...[
        EventRelay,
        RunRedelivery,
        CompanyBatch,
        ResolveProviderRequest,
        RequestAllocationNumber,
        ReadReceipts,
        RenderDocument,
        DeliverMail,
        QueueReminders,
      ],
    ];
    return types.map((type) => this.get(type));
  }

  /** Returns a provider of any module. Throws if there is none, so that a missing one fails the start. */
  private get<T>(type: Type<T>): T {
    return this.modules.get(type, { strict: false });
  }
}

function every(
  pauseMs: number,
  name: string,
  useCase: { execute(signal: AbortSignal): Promise<unknown> },
): Task {
  return { pauseMs, name, work: (signal) => useCase.execute(signal) };
}

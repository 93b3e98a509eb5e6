import { Config } from '@counterfoil/config';
import { AppError, Clock, Epochs } from '@counterfoil/kernel';
import { type DatedPosition, EventLog, EventPosition } from '@counterfoil/outbox';
import { Cursors } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';

/** An event is written this long before its commit at the most. */
const COMMIT_MAX_MS = 60_000;
const WAY_OUT =
  'connect without Last-Event-ID to receive new events, and read with GET /documents?updatedSince=… what you missed';

/**
 * Issues and reads the cursors of event streams. A cursor names the position in the event log, the epoch of the
 * database, and a time before which no event is missing.
 */
@Injectable()
export class StreamCursors {
  private readonly cursors: Cursors;

  constructor(
    private readonly config: Config,
    private readonly log: EventLog,
    private readonly epochs: Epochs,
    private readonly clock: Clock,
  ) {
    this.cursors = new Cursors(config.secretsKeys);
  }

  issue(companyId: number, { position, epoch, readAt }: DatedPosition): string {
    return this.cursors.issue(scopeOf(companyId), [epoch, readAt.getTime(), position.text].join('.'));
  }

  /**
   * @throws AppError `INVALID_CURSOR` if the cursor was not issued for the streams of this company, if the database
   *   was restored or failed over since, or if events after the cursor may have been deleted
   */
  async read(companyId: number, cursor: string): Promise<DatedPosition> {
    const start = this.parsed(companyId, cursor);
    const epoch = await this.epochs.current();
    if (start.epoch !== epoch) throw restored();
    if (await this.log.isAhead(start.position)) {
      await this.epochs.renew(epoch, 'a cursor was ahead of the last event');
      throw restored();
    }
    const { webhookRetentionMs: keptMs } = this.config;
    const oldest = this.clock.now().getTime() - keptMs + Math.min(COMMIT_MAX_MS, keptMs / 2);
    if (start.readAt.getTime() < oldest) throw expired();
    return start;
  }

  private parsed(companyId: number, cursor: string): DatedPosition {
    try {
      const text = this.cursors.read(scopeOf(companyId), cursor);
      const [epoch = '', readAt, position = ''] = text.split('.');
      return { position: EventPosition.of(position), epoch, readAt: new Date(Number(readAt)) };
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      throw invalid('Last-Event-ID was not issued for the event stream of this company', cause);
    }
  }
}

const scopeOf = (companyId: number): string => `webhooks.stream ${companyId}`;

const restored = (): AppError =>
  invalid('Last-Event-ID was issued before the database was restored or failed over');

const expired = (): AppError =>
  invalid('Last-Event-ID is too old: events after it are no longer kept (WEBHOOK_RETENTION)');

function invalid(problem: string, cause?: unknown): AppError {
  return new AppError('INVALID_CURSOR', `${problem}: ${WAY_OUT}`, { cause });
}

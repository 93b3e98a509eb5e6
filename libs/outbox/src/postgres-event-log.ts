import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { type DatedPosition, type EventBatch, EventLog, type LoggedEvent } from './event-log';
import { EventPosition, GAPS_MAX } from './event-position';
import { FIND_LAST_SEQUENCE, NEXT_TRANSACTION, READ_LOG, type LogRow } from './outbox.sql';

/** The maximum number of events in the gaps, and of those after the position, in one read. */
const READ_MAX = 500;
/**
 * A new position starts this many sequences back. The events in between count as seen, and the sequences
 * without one as gaps, because their transactions may commit later than the position was made.
 */
const LOOK_BACK = 1_000;

@Injectable()
export class PostgresEventLog extends EventLog {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async latest(): Promise<DatedPosition> {
    const { last } = await this.sql.only(FIND_LAST_SEQUENCE, {});
    const position = new EventPosition(Math.max(0, last - LOOK_BACK));
    for (;;) {
      const batch = await this.read(position, []);
      for (const { sequence } of batch.events) {
        // In these few events, old gaps are those of deleted events or of transactions that were rolled back.
        position.keepNewestGaps(GAPS_MAX - 1);
        position.see(sequence, batch.endedBelow);
      }
      position.closeGaps(batch);
      if (batch.isComplete) return { position, epoch: batch.epoch, readAt: batch.readAt };
    }
  }

  override async isAhead({ highestSeen }: EventPosition): Promise<boolean> {
    const { last } = await this.sql.only(FIND_LAST_SEQUENCE, {});
    return highestSeen > last;
  }

  override async read(position: EventPosition, companyIds: readonly number[]): Promise<EventBatch> {
    const { highestSeen: after, gaps } = position;
    const rows = await this.sql.rows(READ_LOG, { after, gaps, companyIds, limit: READ_MAX });
    const [first] = rows;
    if (!first) throw new Error(`${READ_LOG.name} returned no row`);
    const { epoch, readAt, oldestRunning } = first;
    const events = rows.flatMap(eventOf);
    const late = events.filter(({ sequence }) => sequence <= after).length;
    const areGapsRead = late < READ_MAX;
    const areAllRead = events.length - late < READ_MAX;
    return {
      events,
      isComplete: areGapsRead && areAllRead,
      endedBelow: await this.endedBelow(after, events.slice(late)),
      oldestRunning: areGapsRead ? oldestRunning : 0,
      readUpTo: areAllRead ? Infinity : (events.at(-1)?.sequence ?? after),
      epoch,
      readAt,
    };
  }

  /**
   * Returns an id above those of all transactions that may write into gaps between these events. Each of them
   * got its id before its sequence, and that before the transaction of the next event has ended. `xmax` of the
   * snapshot is not such an id: it is above all transactions that have ended, not above those that run.
   */
  private async endedBelow(after: number, events: readonly LoggedEvent[]): Promise<number> {
    const last = events.at(-1)?.sequence ?? after;
    if (last - after === events.length) return 0;
    return (await this.sql.only(NEXT_TRANSACTION, {})).id;
  }
}

/** The only row of a read that found no event has no event. */
function eventOf({ sequence, companyId, id, type, body }: LogRow): LoggedEvent[] {
  if (sequence === null || companyId === null || id === null || type === null) return [];
  return [{ sequence, companyId, id, type, body }];
}

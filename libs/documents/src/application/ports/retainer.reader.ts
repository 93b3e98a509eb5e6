import type { Interval, PlainDate } from '@counterfoil/kernel';
import type { RefusedRun } from '@counterfoil/scheduling';
import type { DocumentType } from '../../domain/document-type';
import type { Retainer } from '../../domain/retainer';

export interface RetainerRow extends Retainer {
  readonly entityVisibleId: string;
  readonly entityName: string;
  readonly interval: Interval;
  readonly nextRunDate: PlainDate;
  readonly createdAt: Date;
  /** The last document of the retainer, issued by its job or by a call; null if there is none. */
  readonly lastDocument: {
    readonly id: number;
    readonly visibleId: string;
    readonly type: DocumentType;
    readonly number: number;
    readonly issueDate: PlainDate;
  } | null;
  readonly refusal: RefusedRun | null;
}

export abstract class RetainerReader {
  /** Yields the company's retainers that have not ended, oldest first, in batches. */
  abstract list(companyId: number): AsyncIterable<readonly RetainerRow[]>;
}

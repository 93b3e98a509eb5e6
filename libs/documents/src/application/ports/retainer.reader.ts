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
  /** The last document that refers to it, issued by the job or by a call; null before the first. */
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
  /** Every retainer of the company that has not ended, oldest first, in batches. */
  abstract list(companyId: number): AsyncIterable<readonly RetainerRow[]>;
}

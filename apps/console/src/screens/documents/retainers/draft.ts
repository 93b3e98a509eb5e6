import type { BodyOf } from '@counterfoil/sdk';
import { isCurrency } from '../../../parts/currency-code.ts';
import type { Pick } from '../../../parts/pick.ts';
import { todayInIsrael } from '../../../parts/today.ts';
import { isItem, type ItemDraft, itemBody, NEW_ITEM } from '../issue/draft.ts';
import { countDueAtOnce, type Interval, isDay, MISSED_RUNS_MAX, type RetainerType } from './runs.ts';

/** A retainer as it is filled in. */
export interface RetainerDraft {
  readonly party: Pick | null;
  readonly documentType: RetainerType;
  readonly interval: Interval;
  readonly nextRunDate: string;
  readonly currency: string;
  readonly items: readonly ItemDraft[];
}

export const NEW_RETAINER: RetainerDraft = {
  ...{ party: null, documentType: 'TAX_INVOICE', interval: 'MONTHLY', nextRunDate: '', currency: 'ILS' },
  items: [NEW_ITEM],
};

/** Whether it has everything that the API needs. The service checks the rest. */
export const isRetainerComplete = (draft: RetainerDraft, today = todayInIsrael()): boolean =>
  draft.party !== null &&
  isCurrency(draft.currency) &&
  isDay(draft.nextRunDate) &&
  countDueAtOnce(draft.nextRunDate, draft.interval, today) <= MISSED_RUNS_MAX &&
  draft.items.length > 0 &&
  draft.items.every(isItem);

export const retainerBody = (draft: RetainerDraft): BodyOf<'POST /retainers/create'> => ({
  ...{ entityId: draft.party?.id ?? 0, documentType: draft.documentType, interval: draft.interval },
  ...{ nextRunDate: draft.nextRunDate, currency: draft.currency, items: draft.items.map(itemBody) },
});

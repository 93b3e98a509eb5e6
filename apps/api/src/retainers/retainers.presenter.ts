import type { NewItem, NewRetainer, RetainerRow } from '@counterfoil/documents';
import { askedItem } from '../documents/documents.presenter';
import { refusedRun } from '../scheduling/refused-run.presenter';
import type { RetainerBody, RetainerItemBody } from './retainers.answers';
import type { CreateRetainerBody } from './retainers.dto';

/** What the body asks for. A null in it counts as left out. */
export function askedRetainer(body: CreateRetainerBody): NewRetainer {
  const { entityId, items, currency, interval, nextRunDate, documentType } = body;
  const terms = { entityId, items: items.map(askedItem), currency: currency ?? 'ILS', documentType };
  return { ...terms, interval, nextRunDate };
}

export function retainerRow(retainer: RetainerRow): RetainerBody {
  const { id, entityId, documentType, currency, interval, nextRunDate, lastDocument } = retainer;
  return {
    id,
    entityId,
    entity: { id: entityId, visibleId: retainer.entityVisibleId, name: retainer.entityName },
    documentType,
    currency,
    items: retainer.items.map(itemRow),
    interval,
    nextRunDate,
    lastDocument,
    refusal: refusedRun(retainer.refusal),
    createdAt: retainer.createdAt.toISOString(),
  };
}

function itemRow(item: NewItem): RetainerItemBody {
  const { description, quantity, unitPrice, discountPercent, vatRate, productId } = item;
  return {
    description,
    quantity,
    unitPrice,
    discountPercent: discountPercent ?? null,
    vatRate: vatRate ?? null,
    productId: productId ?? null,
  };
}

import type { DocumentBody, FoundDocumentBody } from '@counterfoil/sdk';
import { details } from './details';
import { type Column, tableLines, widthsOf } from './table';

type AnyDocument = DocumentBody | FoundDocumentBody;

const ITEMS: readonly Column<AnyDocument['items'][number]>[] = [
  { title: 'ITEM', value: ({ description }) => description },
  { title: 'QUANTITY', value: ({ quantity }) => quantity },
  { title: 'PRICE', value: ({ unitPrice }) => unitPrice },
  { title: 'VAT %', value: ({ vatRate }) => vatRate },
  { title: 'TOTAL', value: ({ lineTotal }) => lineTotal },
];

/** A document for people: its head, and its items as a table. */
export function documentText(document: AnyDocument): string {
  const { currency, items, entity } = document;
  const head = details({
    Document: `${document.type} ${document.number}`,
    Id: document.visibleId,
    'Your id': document.externalId,
    Client: `${entity.name} (${entity.id})`,
    Issued: document.issueDate,
    Due: document.dueDate,
    Period: document.period && `${document.period.from} to ${document.period.until}`,
    Status: document.status,
    Amount: `${document.amount} ${currency}`,
    VAT: `${document.tax} ${currency}`,
    Total: `${document.totalWithTax} ${currency}`,
    Remaining: document.isOpen ? `${document.remainingAmount} ${currency}` : null,
    Allocation: document.taxAuthorityApprovalNumber,
    Cancelled: document.cancellationReason,
    Notes: document.notes,
  });
  if (items.length === 0) return head;
  return [head, '', ...tableLines(ITEMS, items, widthsOf(ITEMS, items))].join('\n');
}

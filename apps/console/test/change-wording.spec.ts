import type { ChangedDocument, ChangesPage } from '../src/screens/documents/changes/wording';
import { newestFirst, wordingOf } from '../src/screens/documents/changes/wording';

const THEN = '2026-11-20T08:00:00.000Z';
const LATER = '2026-11-21T08:00:00.000Z';

const document = (part: Partial<ChangedDocument>) =>
  ({
    ...{ visibleId: 'a', type: 'TAX_INVOICE', status: 'OPEN', cancelled: false },
    ...{ createdAt: THEN, updatedAt: LATER, approvalNumberStatus: null, taxAuthorityApprovalNumber: null },
    ...part,
  }) as ChangedDocument;

describe('a change in words', () => {
  it.each<[Partial<ChangedDocument>, string]>([
    [{ updatedAt: THEN }, 'issued'],
    [{ updatedAt: THEN, type: 'RECEIPT', status: 'CLOSED' }, 'issued'],
    [{ updatedAt: THEN, approvalNumberStatus: 'PENDING' }, 'issuedAwaited'],
    [{ updatedAt: THEN, approvalNumberStatus: 'REFUSED' }, 'issuedRefused'],
    [{ status: 'PARTIALLY_PAID' }, 'paidInPart'],
    [{ status: 'PARTIALLY_PAID', taxAuthorityApprovalNumber: '7' }, 'paidInPart'],
    [{ status: 'PAID' }, 'settled'],
    [{ status: 'PAID', type: 'TAX_INVOICE_RECEIPT', taxAuthorityApprovalNumber: '7' }, 'numberRecorded'],
    [{ status: 'PAID', type: 'TAX_INVOICE_RECEIPT', approvalNumberStatus: 'REFUSED' }, 'numberRefused'],
    [{ status: 'CLOSED' }, 'closed'],
    [{ taxAuthorityApprovalNumber: '7' }, 'numberRecorded'],
    [{ approvalNumberStatus: 'REFUSED' }, 'numberRefused'],
    [{}, 'changed'],
    [{ cancelled: true, status: 'CANCELLED' }, 'cancelled'],
    [{ cancelled: true, updatedAt: THEN }, 'cancelled'],
  ])('%j: %s', (part, expected) => {
    expect(wordingOf(document(part))).toBe(expected);
  });
});

it('shows the newest change first, and each document once', () => {
  const batch = (...data: ChangedDocument[]): ChangesPage => ({
    ...{ data, checkpoint: null, hasMore: false },
  });
  const pages = [
    batch(document({ visibleId: 'a' }), document({ visibleId: 'b' })),
    batch(document({ visibleId: 'a', status: 'PAID' })),
  ];
  expect(newestFirst(pages).map(({ visibleId, status }) => [visibleId, status])).toEqual([
    ['a', 'PAID'],
    ['b', 'OPEN'],
  ]);
  expect(newestFirst([])).toEqual([]);
});

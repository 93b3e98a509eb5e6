import type { AllocatedReceipt, DocumentHeader } from '@counterfoil/documents';
import { ChoiceProperty, ListProperty } from '../http/answers';
import { IdField, ObjectListField, TextField } from '../http/fields';
import { DocumentAllocationBody, DocumentRowBody, presentDocumentRow } from './documents.schemas';
import { LINKS_MAX, NewAllocationBody } from './issuing.schemas';

export class AllocateReceiptBody {
  @IdField({ presence: 'required', description: 'The numeric id of the receipt.' })
  readonly receiptId!: number;
  @ObjectListField({ presence: 'required', of: () => NewAllocationBody, minItems: 1, maxItems: LINKS_MAX })
  readonly allocations!: NewAllocationBody[];
}

export class CancelDocumentBody {
  @TextField({ presence: 'required', max: 500 }) readonly reason!: string;
}

export class AllocationNumberBody {
  @TextField({
    presence: 'required',
    max: 64,
    form: { pattern: /^[\x21-\x7e]+$/, problem: 'must be digits, letters and signs without spaces' },
    example: '123456789',
  })
  readonly approvalNumber!: string;
}

/** A document after a change. */
export class ChangedDocumentBody extends DocumentRowBody {
  @ChoiceProperty([true]) readonly success!: true;
}

/** A receipt after it was allocated, with the new allocations. */
export class AllocatedReceiptBody extends ChangedDocumentBody {
  @ListProperty(DocumentAllocationBody) readonly allocations!: readonly DocumentAllocationBody[];
}

export function presentChangedDocument(document: DocumentHeader): ChangedDocumentBody {
  return { success: true, ...presentDocumentRow(document) };
}

export function presentAllocatedReceipt({ receipt, allocations }: AllocatedReceipt): AllocatedReceiptBody {
  return {
    ...presentChangedDocument(receipt),
    allocations: allocations.map(({ document: { id, visibleId, type, number }, amount }) => ({
      documentId: id,
      visibleId,
      type,
      number,
      amount,
    })),
  };
}

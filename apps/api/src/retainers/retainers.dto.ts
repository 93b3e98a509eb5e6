import { RETAINER_DOCUMENT_TYPES, type RetainerDocumentType } from '@counterfoil/documents';
import type { Interval } from '@counterfoil/kernel';
import { ITEMS_MAX, NewItemBody } from '../documents/documents.dto';
import {
  ChoiceField,
  CurrencyField,
  IdField,
  IntervalField,
  ObjectListField,
  PlainDateField,
} from '../http/fields';

export class CreateRetainerBody {
  @IdField({
    presence: 'required',
    description: 'Whom it bills: the numeric id of a client or vendor.',
  })
  readonly entityId!: number;

  @ObjectListField({
    presence: 'required',
    of: () => NewItemBody,
    minItems: 1,
    maxItems: ITEMS_MAX,
    description:
      "What each document has. An item without vatRate takes the company's default rate of the time at which a document is issued.",
  })
  readonly items!: NewItemBody[];

  @CurrencyField({ presence: 'optional', description: 'ILS when left out.' })
  readonly currency?: string | null;

  @IntervalField()
  readonly interval!: Interval;

  @PlainDateField({
    presence: 'required',
    description:
      'The first day, in Israel, on which a document is due. Of those in the past, up to 10 years, each is issued at once, with its own date.',
    example: '2027-01-31',
  })
  readonly nextRunDate!: string;

  @ChoiceField({ presence: 'required', choices: RETAINER_DOCUMENT_TYPES, description: 'What it issues.' })
  readonly documentType!: RetainerDocumentType;
}

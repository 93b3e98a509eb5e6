import {
  DOCUMENT_TYPES,
  type DocumentType,
  type NewItem,
  type NewRetainer,
  RETAINER_DOCUMENT_TYPES,
  type RetainerDocumentType,
  type RetainerRow,
} from '@counterfoil/documents';
import { type Interval, INTERVALS } from '@counterfoil/kernel';
import { ITEMS_MAX, NewItemBody, toItemInput } from '../documents/issuing.schemas';
import {
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  ListProperty,
  NumberProperty,
  ObjectProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
  UuidProperty,
} from '../http/answers';
import {
  ChoiceField,
  CurrencyField,
  IdField,
  IntervalField,
  ObjectField,
  ObjectListField,
  PlainDateField,
} from '../http/fields';
import { SendingBody, toSending } from '../mail/mails.schemas';
import { NamedEntityBody } from '../parties/named-entity.schemas';
import { presentRefusedRun, RefusedRunBody } from '../scheduling/refused-run.schemas';

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
      "What each document has. An item without vatRate takes the rate that is in force when a document is issued: the client's `specialVat`, else the company's default.",
  })
  readonly items!: NewItemBody[];
  @CurrencyField({ presence: 'optional', description: 'ILS when left out.' })
  readonly currency?: string | null;
  @IntervalField() readonly interval!: Interval;
  @PlainDateField({
    presence: 'required',
    description:
      'The first day, in Israel, on which a document is due. Of those in the past, up to 10 years, each is issued at once, with its own date.',
    example: '2027-01-31',
  })
  readonly nextRunDate!: string;
  @ChoiceField({
    presence: 'required',
    choices: RETAINER_DOCUMENT_TYPES,
    description: 'The type of the documents that it issues.',
  })
  readonly documentType!: RetainerDocumentType;
  @ObjectField({
    presence: 'optional',
    of: () => SendingBody,
    description:
      'Mails each document when it is issued, as `POST /documents/id/{id}/send` would, in the language of the client. Left out: nothing is mailed.',
  })
  readonly send?: SendingBody | null;
}

export class CreatedRetainerBody extends SuccessBody {
  @IntegerProperty() readonly retainerId!: number;
}

export class RetainerItemBody {
  @TextProperty() readonly description!: string;
  @NumberProperty() readonly quantity!: number;
  @NumberProperty() readonly unitPrice!: number;
  @NumberProperty({ nullable: true }) readonly discountPercent!: number | null;
  @NumberProperty({ nullable: true, description: 'null: the rate in force at the time of issue.' })
  readonly vatRate!: number | null;
  @IntegerProperty({ nullable: true }) readonly productId!: number | null;
}

export class RetainerSendingBody {
  @ListProperty(String, { description: 'Each address once, with the ASCII form of its domain.' })
  readonly to!: readonly string[];
  @ListProperty(String) readonly cc!: readonly string[];
  @TextProperty({ nullable: true, description: 'null: the service writes it.' })
  readonly subject!: string | null;
  @TextProperty({ nullable: true, description: 'null: the service writes it.' })
  readonly message!: string | null;
}

class LastDocumentBody {
  @IntegerProperty() readonly id!: number;
  @UuidProperty() readonly visibleId!: string;
  @ChoiceProperty(DOCUMENT_TYPES) readonly type!: DocumentType;
  @IntegerProperty() readonly number!: number;
  @DateProperty() readonly issueDate!: string;
}

export class RetainerBody {
  @IntegerProperty() readonly id!: number;
  @IntegerProperty() readonly entityId!: number;
  @ObjectProperty(NamedEntityBody) readonly entity!: NamedEntityBody;
  @ChoiceProperty(RETAINER_DOCUMENT_TYPES) readonly documentType!: string;
  @TextProperty({ example: 'ILS' }) readonly currency!: string;
  @ListProperty(RetainerItemBody, { description: 'As they were sent.' })
  readonly items!: readonly RetainerItemBody[];
  @ChoiceProperty(INTERVALS) readonly interval!: Interval;
  @DateProperty({ description: 'When the next document is due, or was.' }) readonly nextRunDate!: string;
  @ObjectProperty(LastDocumentBody, {
    nullable: true,
    description: 'The last document with its retainerId; null before the first.',
  })
  readonly lastDocument!: LastDocumentBody | null;
  @ObjectProperty(RefusedRunBody, {
    nullable: true,
    description: 'Why the document that is due was refused; it is tried again.',
  })
  readonly refusal!: RefusedRunBody | null;
  @ObjectProperty(RetainerSendingBody, {
    nullable: true,
    description: 'To whom its documents are mailed; null: to nobody.',
  })
  readonly send!: RetainerSendingBody | null;
  @TimeProperty() readonly createdAt!: string;
}

/** Fills in the defaults. A null counts as left out. */
export function toCreateRetainerInput(body: CreateRetainerBody): NewRetainer {
  const { entityId, items, currency, interval, nextRunDate, documentType, send } = body;
  const terms = { entityId, items: items.map(toItemInput), currency: currency ?? 'ILS', documentType };
  return { ...terms, interval, nextRunDate, send: send ? toSending(send) : null };
}

export function presentRetainer(retainer: RetainerRow): RetainerBody {
  const { id, entityId, documentType, currency, interval, nextRunDate, lastDocument } = retainer;
  return {
    id,
    entityId,
    entity: { id: entityId, visibleId: retainer.entityVisibleId, name: retainer.entityName },
    documentType,
    currency,
    items: retainer.items.map(presentItem),
    interval,
    nextRunDate,
    lastDocument,
    refusal: presentRefusedRun(retainer.refusal),
    send: retainer.send,
    createdAt: retainer.createdAt.toISOString(),
  };
}

function presentItem(item: NewItem): RetainerItemBody {
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

export function presentCreatedRetainer(retainerId: number): CreatedRetainerBody {
  return { success: true, retainerId };
}

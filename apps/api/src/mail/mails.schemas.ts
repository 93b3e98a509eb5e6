import { isEmail } from 'class-validator';
import { DOCUMENT_TYPES, type DocumentType, type RetainerSending } from '@counterfoil/documents';
import { DOCUMENT_LANGUAGES, type DocumentLanguage } from '@counterfoil/kernel';
import {
  ADDRESS_MAX,
  mailableAddress,
  MAIL_FAILURES,
  MAIL_FILTERS,
  MAIL_PURPOSES,
  MAIL_STATUSES,
  MESSAGE_MAX,
  RECIPIENT_KINDS,
  RECIPIENTS_MAX,
  type SendDocumentInput,
  type SentDocument,
  SUBJECT_MAX,
} from '@counterfoil/mail';
import { RENDITION_STAMPS, type RenditionStamp } from '@counterfoil/renditions';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import {
  ChoiceProperty,
  IntegerProperty,
  ListProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
  UuidProperty,
} from '../http/answers';
import { field, type FieldOptions } from '../http/field';
import { ChoiceField, ONE_LINE, TextField } from '../http/fields';
import { ListFilters } from '../http/query-fields';
import { ORIGINAL_ONCE } from '../documents/document-shares.schemas';

/** A list of e-mail addresses, without names. */
function AddressListField(options: FieldOptions & { readonly minItems: number }) {
  const { minItems, ...others } = options;
  const items = { type: 'string', format: 'email', maxLength: ADDRESS_MAX };
  const schema = { type: 'array', items, minItems, maxItems: RECIPIENTS_MAX } as ApiPropertyOptions;
  return field({ example: ['dana@example.com'], ...others }, schema, (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length < minItems) return 'must have at least 1 entry';
    if (value.length > RECIPIENTS_MAX) return `must have at most ${RECIPIENTS_MAX} entries`;
    return value.every((entry) => typeof entry === 'string' && isAddress(entry))
      ? null
      : 'must be a list of e-mail addresses, such as dana@example.com';
  });
}

/**
 * An address that every mail server takes. Stricter than `EMAIL` of contacts, which are notes of the company, and than
 * MAIL_FROM, which may be in the network of the installation: a mail to an address of those that this refuses would only
 * fail later.
 */
const isAddress = (text: string): boolean =>
  isEmail(text, { allow_utf8_local_part: false }) && mailableAddress(text) !== null;

/** Whom a mail with a document is for, and its texts. */
export class SendingBody {
  @AddressListField({
    presence: 'required',
    minItems: 1,
    description: 'Each recipient gets a mail of its own, which shows all addresses of `to` and `cc`.',
  })
  readonly to!: string[];
  @AddressListField({ presence: 'optional', minItems: 0 }) readonly cc?: string[] | null;
  @TextField({
    presence: 'optional',
    max: SUBJECT_MAX,
    form: ONE_LINE,
    description: 'When left out: the type and number of the document, and the name of the company.',
    example: 'Your invoice',
  })
  readonly subject?: string | null;
  @TextField({
    presence: 'optional',
    max: MESSAGE_MAX,
    description: 'The first paragraphs of the mail. The document and the company follow.',
    example: 'Hello Dana,\n\nThank you for your order.',
  })
  readonly message?: string | null;
}

export class SendDocumentBody extends SendingBody {
  @ChoiceField({
    presence: 'optional',
    choices: DOCUMENT_LANGUAGES,
    description: 'Of the mail and of its PDF. When left out, that of the PDF of this document.',
  })
  readonly language?: DocumentLanguage | null;
  @ChoiceField({
    presence: 'optional',
    choices: RENDITION_STAMPS,
    description: `The mark on the pages of the PDF. ${ORIGINAL_ONCE}`,
  })
  readonly stamp?: RenditionStamp | null;
}

export class QueuedMailBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty({ example: 'dana@example.com' }) readonly recipient!: string;
}

export class SentDocumentBody extends SuccessBody {
  @UuidProperty({ description: 'This call. `sendId` filters the list of mails.' }) readonly sendId!: string;
  @ChoiceProperty(RENDITION_STAMPS, { description: 'The mark on the pages of the PDF.' })
  readonly stamp!: RenditionStamp;
  @ListProperty(QueuedMailBody, { description: 'One for each recipient.' })
  readonly mails!: readonly QueuedMailBody[];
}

export class ListMailsQuery extends ListFilters(MAIL_FILTERS) {}

export class MailBody {
  @IntegerProperty() readonly id!: number;
  @UuidProperty({ description: 'The call that sent it, shared by all its recipients.' })
  readonly sendId!: string;
  @IntegerProperty() readonly documentId!: number;
  @UuidProperty() readonly documentVisibleId!: string;
  @ChoiceProperty(DOCUMENT_TYPES) readonly documentType!: DocumentType;
  @IntegerProperty() readonly documentNumber!: number;
  @TextProperty({ example: 'dana@example.com' }) readonly recipient!: string;
  @ChoiceProperty(RECIPIENT_KINDS) readonly kind!: string;
  @ChoiceProperty(MAIL_PURPOSES, {
    description:
      '`document`: a call sent it. `reminder`: the service did, because the document is to be paid.',
  })
  readonly purpose!: string;
  @ChoiceProperty(RENDITION_STAMPS, { description: 'The mark on the pages of its PDF.' })
  readonly stamp!: RenditionStamp;
  @TextProperty({ nullable: true, description: 'Null if the call had none, and the service wrote one.' })
  readonly subject!: string | null;
  @ChoiceProperty(MAIL_STATUSES, {
    description: '`accepted`: the mail server has it. It may still come back to the sender.',
  })
  readonly status!: string;
  @ChoiceProperty(MAIL_FAILURES, {
    nullable: true,
    description:
      '`refused`: the server refused it for good. `expired`: every attempt failed. `uncertain`: the connection was lost after the last byte, so the server may have it. `withdrawn`: a reminder that was not due any more when it was about to be sent, or a mail of a retainer that found no room in the limit of 24 hours for a week. Null unless it failed.',
  })
  readonly failure!: string | null;
  @TextProperty({
    nullable: true,
    description: 'The last words of the mail server, or why there were none. Null before the first attempt.',
    example: '250 2.0.0 Ok: queued as 4F1Q2z3BxRz',
  })
  readonly response!: string | null;
  @IntegerProperty({ description: 'Attempts that have ended, the last one included.' })
  readonly attempts!: number;
  @TimeProperty({ nullable: true, description: 'Null when there will be no further attempt.' })
  readonly nextAttemptAt!: string | null;
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty({ nullable: true, description: 'Null while it is queued.' })
  readonly finishedAt!: string | null;
}

export function toSendDocumentInput({ language, stamp, ...sending }: SendDocumentBody): SendDocumentInput {
  return { ...toSending(sending), language: language ?? null, stamp: stamp ?? null };
}

export function toSending({ to, cc, subject, message }: SendingBody): RetainerSending {
  return { to, cc: cc ?? [], subject: subject ?? null, message: message ?? null };
}

export function presentSentDocument({ sendId, stamp, mails }: SentDocument): SentDocumentBody {
  return { success: true, sendId, stamp, mails: mails.map(({ id, recipient }) => ({ id, recipient })) };
}

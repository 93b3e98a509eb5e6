import {
  type AccountStatement,
  DOCUMENT_TYPES,
  type DocumentType,
  STATEMENT_ENTRIES,
  type StatementChoice,
} from '@counterfoil/documents';
import { DOCUMENT_LANGUAGES, type DocumentLanguage, type PlainDate } from '@counterfoil/kernel';
import type { StatementFileChoice } from '@counterfoil/renditions';
import {
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  ListProperty,
  NumberProperty,
  ObjectProperty,
  TextProperty,
  TextsProperty,
  UuidProperty,
} from '../http/answers';
import { ChoiceField, CurrencyField, PlainDateField } from '../http/fields';

const CURRENCY = 'ILS';

export class StatementQuery {
  @PlainDateField({
    presence: 'required',
    description: 'The first day of the period, by the dates of the documents.',
    example: '2026-01-01',
  })
  readonly from!: PlainDate;
  @PlainDateField({ presence: 'required', description: 'The last day.', example: '2026-12-31' })
  readonly to!: PlainDate;
  @CurrencyField({ presence: 'edit', description: `\`${CURRENCY}\` when left out.` })
  readonly currency?: string;
}

export class StatementFileQuery extends StatementQuery {
  @ChoiceField({
    presence: 'edit',
    choices: DOCUMENT_LANGUAGES,
    description:
      'When left out, `documentLanguage` of the client, or else of the company, or else Hebrew if the name of a party is Hebrew, and English otherwise.',
  })
  readonly language?: DocumentLanguage;
}

class StatementLineBody {
  @ChoiceProperty(STATEMENT_ENTRIES, {
    description:
      '`DOCUMENT`: the document itself. `CLOSING`: the rest of a document that was closed by a call, which is not claimed any more; as a debit of a tax invoice, the part of it that a later credit note takes back.',
  })
  readonly entry!: string;
  @DateProperty() readonly date!: PlainDate;
  @IntegerProperty() readonly documentId!: number;
  @UuidProperty() readonly visibleId!: string;
  @ChoiceProperty(DOCUMENT_TYPES) readonly type!: DocumentType;
  @IntegerProperty() readonly number!: number;
  @DateProperty({ nullable: true }) readonly dueDate!: PlainDate | null;
  @NumberProperty({ description: 'Added to what the client owes.' }) readonly debit!: number;
  @NumberProperty({ description: 'Taken off what the client owes.' }) readonly credit!: number;
  @NumberProperty({ description: 'After this line. Above zero: the client owes it.' })
  readonly balance!: number;
}

class AgeingBody {
  @DateProperty({ description: 'The last day of the period, or today if that is earlier.' })
  readonly asOf!: PlainDate;
  @NumberProperty() readonly notDue!: number;
  @NumberProperty({ description: 'Due 1 to 30 days before that day.' }) readonly days1To30!: number;
  @NumberProperty() readonly days31To60!: number;
  @NumberProperty() readonly days61To90!: number;
  @NumberProperty() readonly over90!: number;
  @NumberProperty() readonly total!: number;
}

export class StatementBody {
  @DateProperty() readonly from!: PlainDate;
  @DateProperty() readonly to!: PlainDate;
  @TextProperty({ example: CURRENCY }) readonly currency!: string;
  @TextsProperty({ description: 'All currencies in which the client has an account, at any time.' })
  readonly currencies!: readonly string[];
  @NumberProperty({ description: 'Before the first day.' }) readonly openingBalance!: number;
  @ListProperty(StatementLineBody, { description: 'By date.' }) readonly lines!: readonly StatementLineBody[];
  @NumberProperty({ description: 'Of all lines.' }) readonly debit!: number;
  @NumberProperty({ description: 'Of all lines.' }) readonly credit!: number;
  @NumberProperty({
    description: 'After the last day: `ageing.total` without `unallocatedCredit`.',
  })
  readonly closingBalance!: number;
  @ObjectProperty(AgeingBody, {
    description: 'What is open of tax invoices after the last day, by the days since they were due.',
  })
  readonly ageing!: AgeingBody;
  @NumberProperty({
    description: 'Receipts and credit notes, as far as no tax invoice of the statement has used them up.',
  })
  readonly unallocatedCredit!: number;
}

export function toStatementChoice(
  entityId: number,
  { from, to, currency = CURRENCY }: StatementQuery,
): StatementChoice {
  return { entityId, from, to, currency };
}

export function toStatementFileChoice(
  entityId: number,
  { language, ...query }: StatementFileQuery,
): StatementFileChoice {
  return { ...toStatementChoice(entityId, query), language: language ?? null };
}

export function presentStatement(statement: AccountStatement): StatementBody {
  return statement;
}

import {
  COMBINED_SORTS,
  EXPENSE_FILTERS,
  type ExpenseDetails,
  type ExpenseList,
  type ExpenseRow,
  ratePerUnit,
  type RecordedExpense,
  type ListedSupplierInvoice,
} from '@counterfoil/expenses';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  BooleanProperty,
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  NumberProperty,
  ObjectProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
  UriProperty,
  UuidProperty,
} from '../http/answers';
import type { DefinedFields } from '../http/defined-fields';
import {
  BooleanField,
  ChoiceField,
  CurrencyField,
  IdField,
  MoneyField,
  MoneyOrZeroField,
  PlainDateField,
  TextField,
} from '../http/fields';
import { ListFilters } from '../http/query-fields';

const TITLE_MAX = 200;
const DOCUMENT_NUMBER_MAX = 100;
const NOTES_MAX = 2_000;
const CLEARS = 'An empty text clears it.';

export class CreateExpenseBody {
  @IdField({ presence: 'required', description: "The vendor's numeric entity id." })
  readonly vendorId!: number;
  @IdField({ presence: 'required', description: 'The receipt: a file of POST /files/upload.' })
  readonly fileId!: number;
  @PlainDateField({ presence: 'required' }) readonly date!: string;
  @MoneyField({ presence: 'required', description: 'Including tax.', example: 118 }) readonly total!: number;
  @MoneyOrZeroField({ presence: 'required', description: 'The VAT in it.', example: 18 })
  readonly tax!: number;
  @MoneyOrZeroField({ presence: 'required', description: 'The reclaimable part of the VAT.', example: 18 })
  readonly deductableTax!: number;
  @TextField({
    presence: 'optional',
    max: TITLE_MAX,
    description: 'The purpose of the expense.',
    example: 'Train to Haifa',
  })
  readonly title?: string | null;
  @TextField({
    presence: 'optional',
    max: DOCUMENT_NUMBER_MAX,
    description: "The vendor's document number.",
    example: 'R-20417',
  })
  readonly documentNumber?: string | null;
  @CurrencyField({ presence: 'optional', description: 'ILS when left out.' })
  readonly currency?: string | null;
  @TextField({ presence: 'optional', max: NOTES_MAX }) readonly notes?: string | null;
  @BooleanField({ presence: 'optional', description: 'A fixed asset; false when left out.' })
  readonly isEquipment?: boolean | null;
}

export class EditExpenseBody {
  @IdField({ presence: 'edit', description: "The vendor's numeric entity id." }) readonly vendorId?: number;
  @IdField({
    presence: 'edit',
    onlyIn: (body) => (body as EditExpenseBody).vendorId === undefined,
    description: 'The same as vendorId, which wins where both are sent.',
  })
  readonly entityId?: number;
  @IdField({ presence: 'edit' }) readonly fileId?: number;
  @PlainDateField({ presence: 'edit' }) readonly date?: string;
  @MoneyField({ presence: 'edit' }) readonly total?: number;
  @MoneyOrZeroField({ presence: 'edit' }) readonly tax?: number;
  @MoneyOrZeroField({ presence: 'edit' }) readonly deductableTax?: number;
  @TextField({ presence: 'edit', max: TITLE_MAX, mayBeEmpty: true, description: CLEARS })
  readonly title?: string;
  @TextField({ presence: 'edit', max: DOCUMENT_NUMBER_MAX, mayBeEmpty: true, description: CLEARS })
  readonly documentNumber?: string;
  @CurrencyField({ presence: 'edit' }) readonly currency?: string;
  @TextField({ presence: 'clearable', max: NOTES_MAX, description: 'null and an empty text clear it.' })
  readonly notes?: string | null;
  @BooleanField({ presence: 'edit' }) readonly isEquipment?: boolean;
}

export class ListExpensesQuery extends ListFilters(EXPENSE_FILTERS) {
  @ChoiceField({
    presence: 'edit',
    choices: ['all'],
    description: 'all: supplier invoices that are not cancelled as well.',
  })
  readonly include?: 'all';
}

/** The expense that a call has made or changed. */
export class ExpenseIdBody extends SuccessBody {
  @IntegerProperty() readonly expenseId!: number;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer' },
    description:
      'Only where there are some: expenses of the same vendor with the same document number, or with a file of the ' +
      'same bytes, the oldest first, at most 20. The expense is recorded all the same.',
  })
  readonly possibleDuplicateOf?: readonly number[];
}

class ExpenseBody {
  @IntegerProperty() readonly id!: number;
  @IntegerProperty({ description: "The vendor's numeric entity id." }) readonly entityId!: number;
  @TextProperty({ nullable: true, description: 'The purpose of the expense.' }) readonly title!:
    string | null;
  @DateProperty() readonly date!: string;
  @TextProperty({ nullable: true, description: "The vendor's document number." })
  readonly documentNumber!: string | null;
  @TextProperty({ example: 'ILS' }) readonly currency!: string;
  @NumberProperty({ description: 'Including tax.' }) readonly total!: number;
  @NumberProperty({ description: 'The VAT in it.' }) readonly tax!: number;
  @NumberProperty({ description: 'The reclaimable part of the VAT: the figure that the VAT report uses.' })
  readonly deductableTax!: number;
  @BooleanProperty({ description: 'A fixed asset rather than a running cost.' })
  readonly isEquipment!: boolean;
  @TextProperty({ nullable: true }) readonly notes!: string | null;
  @IntegerProperty({ nullable: true, description: 'The receipt; null of a supplier invoice.' })
  readonly fileId!: number | null;
  @NumberProperty({
    nullable: true,
    description: "The total in shekels, by the rate of the expense's own date; null when there was none.",
  })
  readonly totalInILS!: number | null;
  @NumberProperty({
    nullable: true,
    description: 'Shekels for one unit of the currency; null of shekels, and when there was none.',
  })
  readonly exchangeRate!: number | null;
  @DateProperty({
    nullable: true,
    description: 'When that rate was published: at most 10 days before the date.',
  })
  readonly exchangeRateDate!: string | null;
  @TimeProperty() readonly createdAt!: string;
}

class NamedBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
}

class ReceiptBody {
  @IntegerProperty() readonly id!: number;
  @UriProperty({ description: 'Opens the receipt without a key, until it expires.' })
  readonly remoteUrl!: string;
}

/** A row of the list, and the answer to reading one expense (contract §11.1). */
export class ExpenseRowBody {
  @ObjectProperty(ExpenseBody) readonly expense!: ExpenseBody;
  @ObjectProperty(NamedBody) readonly vendor!: NamedBody;
  @ObjectProperty(NamedBody, { description: 'The user that recorded it.' }) readonly user!: NamedBody;
  @ObjectProperty(ReceiptBody) readonly file!: ReceiptBody;
}

/** A supplier invoice among the expenses: it has neither user nor file (contract §11.7). */
export class SupplierInvoiceCostBody {
  @ObjectProperty(ExpenseBody) readonly expense!: ExpenseBody;
  @ObjectProperty(NamedBody) readonly vendor!: NamedBody;
  @ChoiceProperty(['SUPPLIER_INVOICE']) readonly source!: 'SUPPLIER_INVOICE';
  @UuidProperty({ description: 'It is read by GET /purchase/id/:visibleId.' })
  readonly documentVisibleId!: string;
}

/** Fills in the defaults. An empty optional text counts as left out. */
export function toCreateExpenseInput(body: CreateExpenseBody): ExpenseDetails {
  const { vendorId, fileId, date, total, tax, deductableTax } = body;
  return {
    ...{ entityId: vendorId, fileId, date, total, tax, deductableTax },
    title: body.title ?? null,
    documentNumber: body.documentNumber ?? null,
    currency: body.currency ?? 'ILS',
    notes: body.notes ?? null,
    isEquipment: body.isEquipment ?? false,
  };
}

/** An empty text clears the field. */
export function toEditExpenseInput({
  vendorId,
  entityId,
  title,
  documentNumber,
  ...others
}: DefinedFields<EditExpenseBody>): Partial<ExpenseDetails> {
  const vendor = vendorId ?? entityId;
  return {
    ...others,
    ...(vendor === undefined ? {} : { entityId: vendor }),
    ...(title === undefined ? {} : { title: title || null }),
    ...(documentNumber === undefined ? {} : { documentNumber: documentNumber || null }),
  };
}

/** With supplier invoices only date, title and total sort; anything else counts as date (contract §11.7). */
export function toListInput(
  { include, ...filter }: ListExpensesQuery,
  sort: (ExpenseList & { readonly withSupplierInvoices: false })['sort'],
): ExpenseList {
  if (include !== 'all') return { filter, sort, withSupplierInvoices: false };
  const by = COMBINED_SORTS.find((key) => key === sort.by) ?? 'date';
  return { filter, sort: { by, descending: sort.descending }, withSupplierInvoices: true };
}

export function presentRecordedExpense({
  id: expenseId,
  possibleDuplicateOf,
}: RecordedExpense): ExpenseIdBody {
  const answer = { success: true, expenseId } as const;
  return possibleDuplicateOf.length > 0 ? { ...answer, possibleDuplicateOf } : answer;
}

/** Builds the row of contract §11.1. */
export function presentExpense(row: ExpenseRow, remoteUrl: string): ExpenseRowBody {
  const { entityId, userId, fileId } = row;
  return {
    expense: presentDetails(row, fileId),
    vendor: { id: entityId, name: row.vendorName },
    user: { id: userId, name: row.userName },
    file: { id: fileId, remoteUrl },
  };
}

export function presentListedSupplierInvoice(row: ListedSupplierInvoice): SupplierInvoiceCostBody {
  const { source, documentVisibleId, entityId, vendorName } = row;
  return {
    expense: presentDetails(row, null),
    vendor: { id: entityId, name: vendorName },
    source,
    documentVisibleId,
  };
}

function presentDetails(
  row: ExpenseRow | ListedSupplierInvoice,
  fileId: number | null,
): ExpenseRowBody['expense'] {
  return {
    id: row.id,
    entityId: row.entityId,
    title: row.title,
    date: row.date,
    documentNumber: row.documentNumber,
    currency: row.currency,
    total: row.total,
    tax: row.tax,
    deductableTax: row.deductableTax,
    isEquipment: row.isEquipment,
    notes: row.notes,
    fileId,
    totalInILS: row.totalInILS,
    exchangeRate: ratePerUnit(row),
    exchangeRateDate: row.exchangeRateDate,
    createdAt: row.createdAt.toISOString(),
  };
}

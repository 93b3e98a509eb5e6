import {
  SUPPLIER_INVOICE_FILTERS,
  type SupplierInvoice,
  type SupplierInvoiceDetails,
  type SupplierInvoiceRow,
} from '@counterfoil/documents';
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
  UuidProperty,
} from '../http/answers';
import {
  CurrencyField,
  IdField,
  MoneyField,
  MoneyOrZeroField,
  PlainDateField,
  TextField,
} from '../http/fields';
import { ListFilters } from '../http/query-fields';

const DOCUMENT_NUMBER_MAX = 100;
const TITLE_MAX = 200;
const NOTES_MAX = 2_000;
const REASON_MAX = 500;

export class CreatePurchaseBody {
  @IdField({ presence: 'required', description: "The vendor's numeric entity id." })
  readonly vendorId!: number;
  @TextField({
    presence: 'required',
    max: DOCUMENT_NUMBER_MAX,
    description: "The vendor's document number.",
    example: 'INV-2041',
  })
  readonly documentNumber!: string;
  @PlainDateField({ presence: 'required' }) readonly date!: string;
  @TextField({ presence: 'optional', max: TITLE_MAX, example: 'Paper and toner' })
  readonly title?: string | null;
  @CurrencyField({ presence: 'required' }) readonly currency!: string;
  @MoneyField({ presence: 'required', description: 'Including tax.', example: 118 }) readonly total!: number;
  @MoneyOrZeroField({ presence: 'required', description: 'At most the total.', example: 18 })
  readonly tax!: number;
  @MoneyOrZeroField({
    presence: 'optional',
    description: 'The reclaimable part of the tax; all of it when left out.',
    example: 18,
  })
  readonly deductableTax?: number | null;
  @TextField({ presence: 'optional', max: NOTES_MAX }) readonly notes?: string | null;
}

export class CancelPurchaseBody {
  @TextField({ presence: 'required', max: REASON_MAX, example: 'Entered twice' }) readonly reason!: string;
}

export const SUPPLIER_INVOICE_STATUSES = ['OPEN', 'CANCELLED'] as const;

export class ListPurchasesQuery extends ListFilters(SUPPLIER_INVOICE_FILTERS) {}

/** The supplier invoice that a call has made or changed. */
export class PurchaseIdBody extends SuccessBody {
  @IntegerProperty() readonly purchaseId!: number;
  @UuidProperty() readonly visibleId!: string;
}

class PurchaseVendorBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
}

/** A supplier invoice (contract §11.6). */
export class PurchaseBody {
  @IntegerProperty({ description: 'The documentId of its events.' }) readonly id!: number;
  @UuidProperty() readonly visibleId!: string;
  @ChoiceProperty(['SUPPLIER_INVOICE'], { description: 'As in its events and in GET /documents/{id}.' })
  readonly type!: 'SUPPLIER_INVOICE';
  @IntegerProperty({ description: "The vendor's numeric entity id." }) readonly vendorId!: number;
  @ObjectProperty(PurchaseVendorBody) readonly vendor!: PurchaseVendorBody;
  @TextProperty({ description: "The vendor's document number." }) readonly documentNumber!: string;
  @DateProperty() readonly date!: string;
  @TextProperty({ nullable: true }) readonly title!: string | null;
  @TextProperty({ example: 'ILS' }) readonly currency!: string;
  @NumberProperty({ description: 'Including tax.' }) readonly total!: number;
  @NumberProperty() readonly tax!: number;
  @NumberProperty({ description: 'The reclaimable part of the tax.' }) readonly deductableTax!: number;
  @TextProperty({ nullable: true }) readonly notes!: string | null;
  @ChoiceProperty(SUPPLIER_INVOICE_STATUSES) readonly status!: (typeof SUPPLIER_INVOICE_STATUSES)[number];
  @BooleanProperty() readonly cancelled!: boolean;
  @TimeProperty() readonly createdAt!: string;
  @TimeProperty() readonly updatedAt!: string;
}

/** Fills in the defaults. An empty optional text counts as left out. */
export function toCreateInvoiceInput(body: CreatePurchaseBody): SupplierInvoiceDetails {
  const { vendorId, documentNumber, date, currency, total, tax } = body;
  return {
    ...{ vendorId, documentNumber, date, currency, total, tax },
    title: body.title ?? null,
    deductableTax: body.deductableTax ?? tax,
    notes: body.notes ?? null,
  };
}

export function presentSupplierInvoice(invoice: SupplierInvoiceRow): PurchaseBody {
  const { id, visibleId, vendorId, documentNumber, date, title, currency, total, tax, deductableTax } =
    invoice;
  return {
    ...{ id, visibleId },
    type: 'SUPPLIER_INVOICE',
    vendorId,
    vendor: { id: vendorId, name: invoice.vendorName },
    ...{ documentNumber, date, title, currency, total, tax, deductableTax },
    notes: invoice.notes,
    status: invoice.cancelled ? 'CANCELLED' : 'OPEN',
    cancelled: invoice.cancelled,
    createdAt: invoice.createdAt.toISOString(),
    updatedAt: invoice.updatedAt.toISOString(),
  };
}

export function presentSupplierInvoiceIds({
  id,
  visibleId,
}: Pick<SupplierInvoice, 'id' | 'visibleId'>): PurchaseIdBody {
  return { success: true, purchaseId: id, visibleId };
}

import {
  CurrencyField,
  IdField,
  MoneyField,
  MoneyOrZeroField,
  PlainDateField,
  TextField,
} from '../http/fields';
import { IdQueryField } from '../http/query-fields';

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

  @PlainDateField({ presence: 'required' })
  readonly date!: string;

  @TextField({ presence: 'optional', max: TITLE_MAX, mayBeEmpty: true, example: 'Paper and toner' })
  readonly title?: string | null;

  @CurrencyField({ presence: 'required' })
  readonly currency!: string;

  @MoneyField({ presence: 'required', description: 'Including tax.', example: 118 })
  readonly total!: number;

  @MoneyOrZeroField({ presence: 'required', description: 'At most the total.', example: 18 })
  readonly tax!: number;

  @MoneyOrZeroField({
    presence: 'optional',
    description: 'The reclaimable part of the tax; all of it when left out.',
    example: 18,
  })
  readonly deductableTax?: number | null;

  @TextField({ presence: 'optional', max: NOTES_MAX, mayBeEmpty: true })
  readonly notes?: string | null;
}

export class CancelPurchaseBody {
  @TextField({ presence: 'required', max: REASON_MAX, example: 'Entered twice' })
  readonly reason!: string;
}

export class ListPurchasesQuery {
  @PlainDateField({ presence: 'edit', description: 'On or after.' })
  readonly startDate?: string;

  @PlainDateField({ presence: 'edit', description: 'On or before.' })
  readonly endDate?: string;

  @IdQueryField({ description: "The vendor's numeric entity id." })
  readonly vendorId?: number;
}

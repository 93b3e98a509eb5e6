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
import { IdQueryField, SearchField } from '../http/query-fields';

const TITLE_MAX = 200;
const DOCUMENT_NUMBER_MAX = 100;
const NOTES_MAX = 2_000;
const CLEARS = 'An empty text clears it.';

export class CreateExpenseBody {
  @IdField({ presence: 'required', description: "The vendor's numeric entity id." })
  readonly vendorId!: number;

  @IdField({ presence: 'required', description: 'The receipt: a file of POST /files/upload.' })
  readonly fileId!: number;

  @PlainDateField({ presence: 'required' })
  readonly date!: string;

  @MoneyField({ presence: 'required', description: 'Including tax.', example: 118 })
  readonly total!: number;

  @MoneyOrZeroField({ presence: 'required', description: 'The VAT in it.', example: 18 })
  readonly tax!: number;

  @MoneyOrZeroField({ presence: 'required', description: 'The reclaimable part of the VAT.', example: 18 })
  readonly deductableTax!: number;

  @TextField({
    presence: 'optional',
    max: TITLE_MAX,
    mayBeEmpty: true,
    description: 'What it was for.',
    example: 'Train to Haifa',
  })
  readonly title?: string | null;

  @TextField({
    presence: 'optional',
    max: DOCUMENT_NUMBER_MAX,
    mayBeEmpty: true,
    description: "The vendor's document number.",
    example: 'R-20417',
  })
  readonly documentNumber?: string | null;

  @CurrencyField({ presence: 'optional', description: 'ILS when left out.' })
  readonly currency?: string | null;

  @TextField({ presence: 'optional', max: NOTES_MAX, mayBeEmpty: true })
  readonly notes?: string | null;

  @BooleanField({ presence: 'optional', description: 'A fixed asset; false when left out.' })
  readonly isEquipment?: boolean | null;
}

export class EditExpenseBody {
  @IdField({ presence: 'edit', description: "The vendor's numeric entity id." })
  readonly vendorId?: number;

  @IdField({
    presence: 'edit',
    onlyIn: (body) => (body as EditExpenseBody).vendorId === undefined,
    description: 'The same as vendorId, which wins where both are sent.',
  })
  readonly entityId?: number;

  @IdField({ presence: 'edit' })
  readonly fileId?: number;

  @PlainDateField({ presence: 'edit' })
  readonly date?: string;

  @MoneyField({ presence: 'edit' })
  readonly total?: number;

  @MoneyOrZeroField({ presence: 'edit' })
  readonly tax?: number;

  @MoneyOrZeroField({ presence: 'edit' })
  readonly deductableTax?: number;

  @TextField({ presence: 'edit', max: TITLE_MAX, mayBeEmpty: true, description: CLEARS })
  readonly title?: string;

  @TextField({ presence: 'edit', max: DOCUMENT_NUMBER_MAX, mayBeEmpty: true, description: CLEARS })
  readonly documentNumber?: string;

  @CurrencyField({ presence: 'edit' })
  readonly currency?: string;

  @TextField({ presence: 'clearable', max: NOTES_MAX, description: 'null and an empty text clear it.' })
  readonly notes?: string | null;

  @BooleanField({ presence: 'edit' })
  readonly isEquipment?: boolean;
}

export class ListExpensesQuery {
  @SearchField({ description: 'Part of the title, the notes or the document number.' })
  readonly search?: string;

  @ChoiceField({
    presence: 'edit',
    choices: ['all'],
    description: 'all: supplier invoices that are not cancelled as well.',
  })
  readonly include?: 'all';

  @PlainDateField({ presence: 'edit', description: 'On or after.' })
  readonly startDate?: string;

  @PlainDateField({ presence: 'edit', description: 'On or before.' })
  readonly endDate?: string;

  @IdQueryField({ description: "The vendor's numeric entity id." })
  readonly vendorId?: number;
}

import type { ExtractedReceipt } from '@counterfoil/expenses';
import { AppError, validationFailed } from '@counterfoil/kernel';
import {
  ChoiceProperty,
  DateProperty,
  IntegerProperty,
  NumberProperty,
  ObjectProperty,
  SuccessBody,
  TextProperty,
} from '../http/answers';
import { RawQueryField } from '../http/query-fields';

export class ExtractFromUrlQuery {
  @RawQueryField({ isRequired: true, description: 'The address of the document, http or https.' })
  readonly url?: unknown;
  @RawQueryField({
    description: 'Its extension says how the document is read. The default is file.pdf.',
  })
  readonly filename?: unknown;
}

/** The fields that were found. A missing or doubtful one is left out. */
export class ExpenseDataBody {
  @TextProperty({ required: false }) readonly vendorName?: string;
  @TextProperty({
    required: false,
    description:
      'Letters and digits, without spaces. An Israeli number whose check digit is wrong has a confidence of 0.3.',
  })
  readonly vendorTaxId?: string;
  @TextProperty({ required: false }) readonly documentNumber?: string;
  @DateProperty({ required: false }) readonly date?: string;
  @TextProperty({ required: false, description: 'ISO 4217', example: 'ILS' }) readonly currency?: string;
  @NumberProperty({ required: false, description: 'Including tax.' }) readonly total?: number;
  @NumberProperty({ required: false, description: 'The VAT in it.' }) readonly tax?: number;
}

const ShareProperty = () => NumberProperty({ required: false, minimum: 0, maximum: 1 });

/** How likely each field that was found is right, 0 to 1 (contract §12). */
export class ConfidenceBody {
  @ShareProperty() readonly vendorName?: number;
  @ShareProperty() readonly vendorTaxId?: number;
  @ShareProperty() readonly documentNumber?: number;
  @ShareProperty() readonly date?: number;
  @ShareProperty() readonly currency?: number;
  @ShareProperty() readonly total?: number;
  @ShareProperty() readonly tax?: number;
}

const PagePartProperty = (description: string) => NumberProperty({ minimum: 0, maximum: 1, description });

/** A box on a page as viewers show it, in shares of the page's width and height. */
export class PlaceBody {
  @IntegerProperty({ minimum: 1, description: 'From 1.' }) readonly page!: number;
  @PagePartProperty('Left edge, as a share of the width.') readonly x!: number;
  @PagePartProperty('Upper edge, as a share of the height, from the top.') readonly y!: number;
  @PagePartProperty('As a share of the width of the page.') readonly width!: number;
  @PagePartProperty('As a share of the height of the page.') readonly height!: number;
}

const PlaceProperty = () => ObjectProperty(PlaceBody, { required: false });

/** Where each field is printed. */
export class PlacesBody {
  @PlaceProperty() readonly vendorName?: PlaceBody;
  @PlaceProperty() readonly vendorTaxId?: PlaceBody;
  @PlaceProperty() readonly documentNumber?: PlaceBody;
  @PlaceProperty() readonly date?: PlaceBody;
  @PlaceProperty() readonly total?: PlaceBody;
  @PlaceProperty() readonly tax?: PlaceBody;
}

export const EXTRACTION_SOURCES = ['xml', 'pdf-text', 'text', 'ocr'] as const;

/** The pages of a partial answer. */
export class PagesReadBody {
  @IntegerProperty({ minimum: 1, description: 'Pages that were read.' }) readonly read!: number;
  @IntegerProperty({ minimum: 2, description: 'Pages of the document.' }) readonly total!: number;
}

export class ExtractedBody extends SuccessBody {
  @ObjectProperty(ExpenseDataBody) readonly expenseData!: ExpenseDataBody;
  @ObjectProperty(ConfidenceBody, {
    description:
      'The share of values like this one that were right in documents of unknown layouts and vendors; 1 in e-invoices. Below 0.95, let a person check it.',
  })
  readonly confidence!: ConfidenceBody;
  @ObjectProperty(PlacesBody, {
    required: false,
    description:
      'Only of the text of a PDF and of recognised images: where each field is printed, so that a person can check it. A field that is not printed, such as a sum of several taxes, has none.',
  })
  readonly places?: PlacesBody;
  @ChoiceProperty(EXTRACTION_SOURCES, {
    description:
      "Where it was read: an e-invoice's XML, a PDF's text, HTML or plain text, or recognised images.",
  })
  readonly source!: string;
  @IntegerProperty({
    required: false,
    description:
      'Only where one vendor of the company has the tax id that was found, or else the name, up to case, punctuation and legal form: its numeric id.',
  })
  readonly suggestedVendorId?: number;
  @ChoiceProperty([true], {
    required: false,
    description:
      'Only where not all pages were read, because there are more than ten or the time was up. The first and the last page are read first.',
  })
  readonly partial?: true;
  @ObjectProperty(PagesReadBody, { required: false, description: 'Only beside partial.' })
  readonly pages?: PagesReadBody;
}

const URL_LENGTH_MAX = 2_048;
const FILE_NAME_LENGTH_MAX = 255;
const FILE_NAME_DEFAULT = 'file.pdf';

/**
 * @throws AppError `MISSING_URL` (contract §12.2)
 * @throws AppError `VALIDATION_FAILED` for a parameter that is no text or too long
 */
export function toExtractFromUrlInput({ url, filename }: ExtractFromUrlQuery): {
  url: string;
  fileName: string;
} {
  if (url === undefined || url === '') throw new AppError('MISSING_URL', 'url is required');
  return {
    url: text('url', url, URL_LENGTH_MAX),
    fileName: text('filename', filename ?? FILE_NAME_DEFAULT, FILE_NAME_LENGTH_MAX),
  };
}

function text(field: string, value: unknown, lengthMax: number): string {
  if (typeof value !== 'string') throw validationFailed([{ field, problem: 'must be given once' }]);
  if (value.length <= lengthMax) return value;
  throw validationFailed([{ field, problem: `must be at most ${lengthMax} characters` }]);
}

export function presentExtraction({ reading, suggestedVendorId }: ExtractedReceipt): ExtractedBody {
  const { fields, confidence, places, source, pages: read, pageCount: total } = reading;
  return {
    success: true,
    expenseData: fields,
    confidence,
    ...(places && { places }),
    source,
    ...(suggestedVendorId !== null && { suggestedVendorId }),
    ...(total !== undefined && { partial: true, pages: { read, total } }),
  };
}

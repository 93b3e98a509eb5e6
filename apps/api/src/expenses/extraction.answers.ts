import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

/** What was found; what was not found, or is doubtful, is left out. */
export class ExpenseDataBody {
  @ApiPropertyOptional()
  readonly vendorName?: string;
  @ApiPropertyOptional({ description: 'Letters and digits, without spaces.' })
  readonly vendorTaxId?: string;
  @ApiPropertyOptional()
  readonly documentNumber?: string;
  @ApiPropertyOptional({ format: 'date' })
  readonly date?: string;
  @ApiPropertyOptional({ description: 'ISO 4217', example: 'ILS' })
  readonly currency?: string;
  @ApiPropertyOptional({ description: 'Including tax.' })
  readonly total?: number;
  @ApiPropertyOptional({ description: 'The VAT in it.' })
  readonly tax?: number;
}

const share = () => ApiPropertyOptional({ minimum: 0, maximum: 1 });

/** How sure the reader is of each field that was found, 0 to 1. */
export class ConfidenceBody {
  @share()
  readonly vendorName?: number;
  @share()
  readonly vendorTaxId?: number;
  @share()
  readonly documentNumber?: number;
  @share()
  readonly date?: number;
  @share()
  readonly currency?: number;
  @share()
  readonly total?: number;
  @share()
  readonly tax?: number;
}

export class ExtractedBody extends SuccessBody {
  @ApiProperty({ type: ExpenseDataBody })
  readonly expenseData!: ExpenseDataBody;
  @ApiProperty({ type: ConfidenceBody })
  readonly confidence!: ConfidenceBody;
  @ApiProperty({
    enum: ['xml', 'pdf-text', 'text', 'ocr'],
    description:
      "Where it was read: an e-invoice's XML, a PDF's text, HTML or plain text, or recognised images.",
  })
  readonly source!: string;
  @ApiPropertyOptional({
    type: 'integer',
    description: 'Only where one vendor of the company has the tax id that was found: its numeric id.',
  })
  readonly suggestedVendorId?: number;
}

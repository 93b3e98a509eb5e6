import type { ExtractedReceipt } from '@counterfoil/expenses';
import { AppError, validationFailed } from '@counterfoil/kernel';
import type { ExtractedBody } from './extraction.answers';
import type { ExtractFromUrlQuery } from './extraction.dto';

const URL_LENGTH_MAX = 2_048;
const FILE_NAME_LENGTH_MAX = 255;
const FILE_NAME_DEFAULT = 'file.pdf';

/**
 * @throws AppError `MISSING_URL` (specification, extract-from-url)
 * @throws AppError `VALIDATION_FAILED` for what is no text, or too long
 */
export function askedDocument({ url, filename }: ExtractFromUrlQuery): { url: string; fileName: string } {
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

export function extractedReceipt({ reading, suggestedVendorId }: ExtractedReceipt): ExtractedBody {
  const { fields, confidence, source } = reading;
  return {
    success: true,
    expenseData: fields,
    confidence,
    source,
    ...(suggestedVendorId !== null && { suggestedVendorId }),
  };
}

import type { AppError, ErrorCode, FieldProblem } from '@counterfoil/kernel';
import { ApiExtension, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class FieldProblemBody implements FieldProblem {
  @ApiProperty({ example: 'items[0].quantity' })
  readonly field!: string;

  @ApiProperty({ example: 'must be greater than zero' })
  readonly problem!: string;
}

/** The body of every error, on every route (contract §3.1). */
export class ErrorBody {
  @ApiProperty({ enum: [false] })
  readonly success!: false;

  @ApiProperty({
    allOf: [{ $ref: '#/components/schemas/ErrorCode' }],
    description: 'For programs.',
    example: 'VALIDATION_FAILED',
  })
  readonly code!: ErrorCode;

  @ApiProperty({ description: 'For people.', example: 'total must be greater than zero' })
  readonly error!: string;

  @ApiPropertyOptional({ type: [FieldProblemBody], description: 'Only where there are fields to name.' })
  readonly details?: readonly FieldProblem[];

  @ApiProperty({ description: 'Also in the header X-Request-Id and in every log line of the request.' })
  readonly requestId!: string;
}

/** The extension with the error codes of an operation and of each of its responses. */
export const ERROR_CODES = 'x-error-codes';

/** Documents the error codes of a route, in addition to those that its kind of route has in common. */
export const ApiErrors = (...codes: readonly ErrorCode[]) => ApiExtension(ERROR_CODES, codes);

export function errorBodyOf(error: AppError, requestId: string): ErrorBody {
  const { code, message, details } = error;
  return { success: false, code, error: message, ...(details ? { details } : {}), requestId };
}

/** The headers that go with an error. */
export function errorHeadersOf(error: AppError): Record<string, string> {
  return {
    ...(error.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {}),
    ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
  };
}

/** The HTTP status of each error code (contract §3.2). */
export const ERROR_STATUS: Record<ErrorCode, number> = {
  VALIDATION_FAILED: 400,
  INVALID_PRICELIST: 400,
  MISSING_URL: 400,
  INVALID_IDEMPOTENCY_KEY: 400,
  INVALID_CURSOR: 400,
  INVALID_UPDATED_SINCE: 400,
  UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION: 400,
  URL_NOT_ALLOWED: 400,
  UNKNOWN_REFERENCE: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  COMPANY_SUSPENDED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_KEY_REUSED: 409,
  REQUEST_IN_PROGRESS: 409,
  INSUFFICIENT_STOCK: 409,
  INVALID_STATE: 409,
  LIMIT_REACHED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXTRACTION_FAILED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  FETCH_FAILED: 502,
  UNAVAILABLE: 503,
  EXTRACTION_TIMEOUT: 504,
};

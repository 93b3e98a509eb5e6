import type { AppError, FieldProblem } from '@counterfoil/kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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

  @ApiProperty({ description: 'For programs.', example: 'VALIDATION_FAILED' })
  readonly code!: string;

  @ApiProperty({ description: 'For people.', example: 'total must be greater than zero' })
  readonly error!: string;

  @ApiPropertyOptional({ type: [FieldProblemBody], description: 'Only where there are fields to name.' })
  readonly details?: readonly FieldProblem[];

  @ApiProperty({ description: 'Also in the header X-Request-Id and in every log line of the request.' })
  readonly requestId!: string;
}

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

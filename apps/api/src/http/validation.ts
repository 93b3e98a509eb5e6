import { type FieldProblem, validationFailed } from '@counterfoil/kernel';
import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';

/** Problems named in one answer. */
const DETAILS_MAX = 100;

/** Checks the shape of bodies and queries against their classes. Fields that the class does not have are dropped. */
export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) =>
      validationFailed(errors.flatMap((error) => problemsOf(error, '')).slice(0, DETAILS_MAX)),
  });
}

function problemsOf(error: ValidationError, parent: string): FieldProblem[] {
  const field = pathOf(error.property, parent);
  const own = error.constraints ? [{ field, problem: chosen(error.constraints, error.property) }] : [];
  // A list that is none, or too long, is said to be so once, not once more for each of its entries.
  return own.length > 0 ? own : (error.children ?? []).flatMap((child) => problemsOf(child, field));
}

function pathOf(property: string, parent: string): string {
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
}

/** One problem a field: that it is missing, else what the field itself says. Its name is said once, before it. */
function chosen(constraints: Record<string, string>, property: string): string {
  const message =
    constraints['isDefined'] ?? constraints['field'] ?? Object.values(constraints)[0] ?? 'is not valid';
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

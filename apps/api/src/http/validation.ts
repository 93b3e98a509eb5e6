import { type FieldProblem, validationFailed } from '@counterfoil/kernel';
import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { listsOf, takeEntries } from './entries';
import { isObject, knownFieldsOf } from './known-fields';

/** Problems named in one answer. */
const DETAILS_MAX = 100;

/** Checks the shape of bodies and queries against their classes. Fields that the class does not have are dropped. */
export function createValidationPipe(): ValidationPipe {
  return new BodyPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => new ShapeProblems(errors.flatMap((error) => problemsOf(error, ''))),
  });
}

class ShapeProblems extends Error {
  constructor(readonly problems: readonly FieldProblem[]) {
    super('the shape is not valid');
  }
}

/** Checks the entries of lists by itself. */
class BodyPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    if (!metatype || !isObject(value) || !this.toValidate(metadata)) return this.checked(value, metadata, []);
    const sent = knownFieldsOf(value, metatype);
    const found = listsOf(metatype);
    if (found.size === 0) return this.checked(sent, metadata, []);
    const { rest, lists, problems } = takeEntries(sent, found);
    const body = (await this.checked(rest, metadata, problems)) as object;
    return Object.assign(body, lists);
  }

  private async checked(
    value: unknown,
    metadata: ArgumentMetadata,
    ofEntries: readonly FieldProblem[],
  ): Promise<unknown> {
    const problems: FieldProblem[] = [];
    let body: unknown;
    try {
      body = await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof ShapeProblems)) throw error;
      problems.push(...error.problems);
    }
    // A list that is none, or too long, is said to be so once, not once more for each of its entries.
    const wrong = new Set(problems.map(({ field }) => field));
    problems.push(...ofEntries.filter(({ field }) => !wrong.has(field.slice(0, field.indexOf('[')))));
    if (problems.length > 0) throw validationFailed(problems.slice(0, DETAILS_MAX));
    return body;
  }
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

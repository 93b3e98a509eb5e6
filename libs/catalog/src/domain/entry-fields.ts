import { UNIT_MAX, UNIT_SCALE, hasScale } from '@counterfoil/kernel';
import type { Report } from './pricelist-problems';

interface DecimalRules {
  readonly max?: number;
  readonly aboveZero?: boolean;
}

/**
 * Validates the fields of one object that a caller sent, and reports problems. Null counts as left out, so
 * that a list that was read can be sent again. A method's result for an invalid field is meaningless: the
 * whole list is refused.
 */
export class EntryFields {
  constructor(
    private readonly sent: Readonly<Record<string, unknown>>,
    readonly report: Report,
  ) {}

  isSent(name: string): boolean {
    return this.sent[name] !== undefined && this.sent[name] !== null;
  }

  /** @param why a reason to add to the message, with a leading space or colon */
  require(name: string, why = ''): boolean {
    if (this.isSent(name)) return true;
    this.report(name, `is required${why}`);
    return false;
  }

  /** An empty text reads as null. */
  readText(name: string, lengthMax: number): string | null {
    const value = this.sent[name];
    if (!this.isSent(name) || value === '') return null;
    if (typeof value !== 'string') this.report(name, 'must be text');
    else if (value.trim() === '') this.report(name, 'must not be blank');
    else if (value.length <= lengthMax || [...value].length <= lengthMax) return value;
    else this.report(name, `must be at most ${lengthMax} characters`);
    return null;
  }

  readChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
    if (!this.isSent(name)) return null;
    const chosen = choices.find((choice) => choice === this.sent[name]);
    if (chosen === undefined) this.report(name, `must be one of ${choices.join(', ')}`);
    return chosen ?? null;
  }

  /** A non-negative decimal of at most 4 places: a quantity, a unit price or a percentage. */
  readDecimal(name: string, rules: DecimalRules = {}): number | null {
    if (!this.isSent(name)) return null;
    const value = this.sent[name];
    const problem = findDecimalProblem(value, rules);
    if (problem === null) return value as number;
    this.report(name, problem);
    return null;
  }

  readList(name: string, lengthMax: number): readonly unknown[] | null {
    if (!this.isSent(name)) return null;
    const value = this.sent[name];
    if (!Array.isArray(value)) this.report(name, 'must be a list');
    else if (value.length <= lengthMax) return value as unknown[];
    else this.report(name, `must have at most ${lengthMax} entries`);
    return null;
  }
}

/** Returns null, and reports it, when `sent` is not an object. */
export function openFields(sent: unknown, report: Report): EntryFields | null {
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) {
    return new EntryFields(sent as Record<string, unknown>, report);
  }
  report('', 'must be an object');
  return null;
}

function findDecimalProblem(
  value: unknown,
  { max = UNIT_MAX, aboveZero = false }: DecimalRules,
): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (aboveZero && value <= 0) return 'must be greater than zero';
  if (value < 0) return 'must not be negative';
  if (value > max) return `must be at most ${max}`;
  return hasUnitScale(value) ? null : `must have at most ${UNIT_SCALE} decimals`;
}

const UNIT_STEPS = 10 ** UNIT_SCALE;

/**
 * Whether a number has at most 4 decimals. Decimal arithmetic for a hundred thousand numbers takes most of a
 * second, so it comes last: a number that survives rounding to the scale is the double nearest to a decimal
 * of that scale.
 */
export function hasUnitScale(value: number): boolean {
  return Math.round(value * UNIT_STEPS) / UNIT_STEPS === value || hasScale(value, UNIT_SCALE);
}

import { FINE_MAX, FINE_SCALE, hasScale } from '@counterfoil/kernel';
import type { Report } from './pricelist-problems';

interface DecimalRules {
  readonly max?: number;
  readonly aboveZero?: boolean;
}

/**
 * The fields of one object that was sent. Null counts as left out, so that what was read can be sent again. What it
 * answers for a field that is wrong is of no use to anybody, since the whole list is refused then.
 */
export class EntryFields {
  constructor(
    private readonly sent: Readonly<Record<string, unknown>>,
    readonly report: Report,
  ) {}

  isSent(name: string): boolean {
    return this.sent[name] !== undefined && this.sent[name] !== null;
  }

  /** @param why what makes it required */
  require(name: string, why = ''): boolean {
    if (this.isSent(name)) return true;
    this.report(name, `is required${why}`);
    return false;
  }

  /** Text, null for an empty one. */
  text(name: string, lengthMax: number): string | null {
    const value = this.sent[name];
    if (!this.isSent(name) || value === '') return null;
    if (typeof value !== 'string') this.report(name, 'must be text');
    else if (value.trim() === '') this.report(name, 'must not be blank');
    else if (value.length <= lengthMax || [...value].length <= lengthMax) return value;
    else this.report(name, `must be at most ${lengthMax} characters`);
    return null;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
    if (!this.isSent(name)) return null;
    const chosen = choices.find((choice) => choice === this.sent[name]);
    if (chosen === undefined) this.report(name, `must be one of ${choices.join(', ')}`);
    return chosen ?? null;
  }

  /** A decimal of at most 4 places that is not negative: a quantity, the price of a unit, a percent. */
  decimal(name: string, rules: DecimalRules = {}): number | null {
    if (!this.isSent(name)) return null;
    const value = this.sent[name];
    const problem = decimalProblem(value, rules);
    if (problem === null) return value as number;
    this.report(name, problem);
    return null;
  }

  list(name: string, lengthMax: number): readonly unknown[] | null {
    if (!this.isSent(name)) return null;
    const value = this.sent[name];
    if (!Array.isArray(value)) this.report(name, 'must be a list');
    else if (value.length <= lengthMax) return value as unknown[];
    else this.report(name, `must have at most ${lengthMax} entries`);
    return null;
  }
}

/** Its fields, or null when it is no object. */
export function fieldsOf(sent: unknown, report: Report): EntryFields | null {
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) {
    return new EntryFields(sent as Record<string, unknown>, report);
  }
  report('', 'must be an object');
  return null;
}

function decimalProblem(value: unknown, { max = FINE_MAX, aboveZero = false }: DecimalRules): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (aboveZero && value <= 0) return 'must be greater than zero';
  if (value < 0) return 'must not be negative';
  if (value > max) return `must be at most ${max}`;
  return isFine(value) ? null : `must have at most ${FINE_SCALE} decimals`;
}

const FINE_STEPS = 10 ** FINE_SCALE;

/**
 * Asking decimals of each of a hundred thousand numbers would take most of a second. A number that comes back from whole
 * steps of the scale is the nearest there is to a decimal of that scale, and so was sent as one.
 */
export function isFine(value: number): boolean {
  return Math.round(value * FINE_STEPS) / FINE_STEPS === value || hasScale(value, FINE_SCALE);
}

import type { CounterfoilError } from '@counterfoil/sdk';
import { printableLine } from '../printable';
import type { Outcome } from './send-rows';

interface Placed {
  readonly place: string;
}

/** Counts the outcomes of rows, and tells people about them in the order of the file. */
export class ImportReport<Row extends Placed> {
  #sent = 0;
  #replayed = 0;
  readonly #refusals = new Map<Row, CounterfoilError>();

  constructor(private readonly rows: readonly Row[]) {}

  /** The `fetch` of the client: the service marks the answers to rows that were created before. */
  readonly countingReplays: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.headers.get('idempotent-replay') === 'true') this.#replayed += 1;
    return response;
  };

  add(outcome: Outcome<Row, unknown>): void {
    if ('refusal' in outcome) this.#refusals.set(outcome.row, outcome.refusal);
    else this.#sent += 1;
  }

  get refused(): number {
    return this.#refusals.size;
  }

  text(): string {
    const refused = this.rows.flatMap((row) => {
      const refusal = this.#refusals.get(row);
      return refusal === undefined ? [] : [`${row.place}: ${reasonOf(refusal)}`];
    });
    const rest = this.rows.length - this.#sent - this.refused;
    const counts = [
      `${this.#sent - this.#replayed} created`,
      `${this.#replayed} were there already`,
      `${this.refused} refused`,
      ...(rest > 0 ? [`${rest} not sent: run the command again to continue`] : []),
    ];
    return [...refused, counts.join(', ')].join('\n');
  }
}

export function reasonOf({ code, message, fields }: CounterfoilError): string {
  const problems = fields.map(({ field, problem }) => `${field}: ${problem}`);
  return printableLine(`${problems.length > 0 ? problems.join('; ') : message} (${code})`);
}

import type { Counterfoil } from '@counterfoil/sdk';
import { CommandError, EXIT } from '../failure';
import { isDay } from './calendar';
import { SEED_SIZES, type SeedChoice, type SeedSize } from './plan';

/** Rises with every change of the plan, because half of one plan cannot be completed by another. */
const PLAN_VERSION = 1;

/**
 * The first thing that a run creates is a file with its choices. So a run on a later day continues the same year, and
 * a company that was seeded is told from one with data of its own.
 */
export const manifestNameOf = (seed: number): string => `counterfoil-seed-${seed}.json`;

/** Equal choices give equal bytes, so that the upload can be repeated under its key. */
export function manifestOf({ seed, size, until }: SeedChoice): Blob {
  return new Blob([`${JSON.stringify({ version: PLAN_VERSION, seed, size, until }, null, 2)}\n`]);
}

/**
 * Reads the choices of an earlier run.
 *
 * @throws CommandError if they are not those of this command
 */
export async function readManifest(
  client: Counterfoil,
  file: { readonly id: number; readonly fileName: string },
): Promise<SeedChoice> {
  const text = await (await client.files.content(file.id)).text();
  const { version, ...choice } = parsed(text);
  if (!isChoice(choice)) throw new CommandError(EXIT.refused, `${file.fileName} does not describe a seed`);
  if (version !== PLAN_VERSION)
    throw new CommandError(
      EXIT.refused,
      `the data of seed ${choice.seed} comes from another version of this command: use another --seed`,
    );
  return choice;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const isChoice = (value: object): value is SeedChoice => {
  const { seed, size, until } = value as { [Name in keyof SeedChoice]?: unknown };
  const isKnownSize = SEED_SIZES.includes(size as SeedSize);
  return Number.isInteger(seed) && isKnownSize && typeof until === 'string' && isDay(until);
};

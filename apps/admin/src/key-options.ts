import { ADDRESSES_MAX, KEY_NAME_LENGTH_MAX, type NewKeyInput } from '@counterfoil/identity';
import { parseTimestamp } from '@counterfoil/kernel';
import { type Options, UsageError } from './command';

export const KEY_OPTIONS = '[--key-name NAME] [--expires TIME] [--addresses NETWORK,…]';

/** Reads the name and the limits of a new key. */
export function keyOptions(
  options: Options,
  usage: string,
): Pick<NewKeyInput, 'name' | 'expiresAt' | 'addresses'> {
  const { 'key-name': name, expires, addresses } = options;
  return {
    name: typeof name === 'string' ? keyName(name, usage) : null,
    expiresAt: typeof expires === 'string' ? expiry(expires, usage) : null,
    addresses: typeof addresses === 'string' ? networks(addresses, usage) : null,
  };
}

function keyName(name: string, usage: string): string {
  if (name.trim() !== '' && [...name].length <= KEY_NAME_LENGTH_MAX) return name;
  throw new UsageError(`--key-name must have 1 to ${KEY_NAME_LENGTH_MAX} characters: ${usage}`);
}

function expiry(text: string, usage: string): Date {
  const time = parseTimestamp(text);
  if (time) return time;
  throw new UsageError(`--expires must be a time such as 2027-01-31T00:00:00Z, or a date: ${usage}`);
}

/** The use case checks each of them. */
function networks(text: string, usage: string): string[] {
  const all = text.split(',').map((one) => one.trim());
  if (all.length <= ADDRESSES_MAX) return all;
  throw new UsageError(`--addresses must be at most ${ADDRESSES_MAX} addresses and networks: ${usage}`);
}

const PREFIX = 'counterfoil.';

/** Reads a preference of this browser; null where it keeps nothing. */
export const readStored = (name: string): string | null => read(() => localStorage, name);

/** Keeps a preference. A browser that keeps nothing forgets it with the page. Never for secrets. */
export const writeStored = (name: string, value: string): void => write(() => localStorage, name, value);

/** The same for this tab alone: a reload has it, another tab does not. */
export const readOfTab = (name: string): string | null => read(() => sessionStorage, name);
export const writeOfTab = (name: string, value: string): void => write(() => sessionStorage, name, value);

/** Calls back when another tab changes what is kept. Returns what ends it. */
export function followStored(name: string, changed: () => void): () => void {
  const look = ({ key }: StorageEvent) => key === PREFIX + name && changed();
  addEventListener('storage', look);
  return () => removeEventListener('storage', look);
}

function read(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, name: string, value: string): void {
  try {
    storage().setItem(PREFIX + name, value);
  } catch {
    // Private windows refuse it.
  }
}

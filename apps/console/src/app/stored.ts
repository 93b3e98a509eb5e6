const PREFIX = 'counterfoil.';

/** Reads a preference of this browser; null where it keeps nothing. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Keeps a preference. A browser that keeps nothing forgets it with the page. Never for secrets. */
export function writeStored(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows refuse it.
  }
}

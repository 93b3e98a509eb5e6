/** A form of the page, which may have changes that are not saved. */
interface Guard {
  readonly isChanged: () => boolean;
  /** Asks whether the changes may be lost, and does the act then. */
  readonly ask: (act: () => void) => void;
}

const guards = new Set<Guard>();

/** @returns a function that ends it */
export function guard(added: Guard): () => void {
  guards.add(added);
  return () => void guards.delete(added);
}

/** Does what ends the page without a navigation: at once, or after a question if something is not saved. */
export function leaveBy(act: () => void): void {
  const changed = [...guards].find(({ isChanged }) => isChanged());
  if (changed) changed.ask(act);
  else act();
}

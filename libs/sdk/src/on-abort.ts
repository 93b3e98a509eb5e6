const actsOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs `act` when the signal aborts, unless the returned function was called before.
 *
 * All that wait for a signal share one listener: Node warns of a leak if a signal has more than ten, but a program may
 * pass one signal to any number of calls.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const acts = actsOf.get(signal) ?? listenTo(signal);
  acts.add(act);
  return () => void acts.delete(act);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>();
  actsOf.set(signal, acts);
  const runAll = () => {
    for (const act of acts) act();
  };
  signal.addEventListener('abort', runAll, { once: true });
  return acts;
}

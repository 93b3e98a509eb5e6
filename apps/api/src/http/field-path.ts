/** Names the position of a value in a body: `items[0].quantity`. Cut, because callers choose the keys. */
export function fieldPath(keys: readonly (string | number)[]): string {
  const steps = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return steps.join('').slice(1, LENGTH_MAX + 1);
}

const LENGTH_MAX = 200;

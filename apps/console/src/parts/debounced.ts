import { useEffect, useState } from 'react';

const QUIET_MS = 300;

/** The value as it was when it last stood still, for queries while somebody types. */
export function useDebounced<Value>(value: Value, quietMs = QUIET_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}

import { useParams } from '@tanstack/react-router';

/** Returns a part of the path, as the screen names it: `$id`. */
export function useParam(name: string): string {
  const all: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  return all[name] ?? '';
}

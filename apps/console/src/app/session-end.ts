import { isCounterfoilError } from '@counterfoil/sdk';

const ENDS = ['UNAUTHENTICATED', 'COMPANY_SUSPENDED'] as const;

/** Whether an error says that the session of its call has ended, or that it opens nothing while its company is suspended. */
export const isSessionEnd = (error: unknown): boolean => isCounterfoilError(error, ...ENDS);

/** The sessions that the service has refused since this page was loaded. */
const refused = new Set<number>();

export const isRefused = (session: number): boolean => refused.has(session);

/** Notes whether the service refuses the session of a call: its answer may come when another session is the current one. */
export function fetchOf(session: number, send: typeof fetch = globalThis.fetch): typeof fetch {
  return async (...request) => {
    const answer = await send(...request);
    if (await saysEnd(answer)) refused.add(session);
    return answer;
  };
}

async function saysEnd(answer: Response): Promise<boolean> {
  if (answer.ok) return false;
  const body = (await answer
    .clone()
    .json()
    .catch(() => null)) as { readonly code?: unknown } | null;
  return ENDS.some((code) => code === body?.code);
}

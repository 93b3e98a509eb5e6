import { type AnswerOf, Counterfoil, isCounterfoilError } from '@counterfoil/sdk';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { SERVICE_URL } from './addresses.ts';
import { readOfTab, readStored, writeOfTab, writeStored } from './stored.ts';

export type SignedIn = AnswerOf<'GET /caller'>;
export type Permission = 'read' | 'write' | 'map-accounting' | 'set-rates' | 'administer';

/** A session as this browser remembers it: nothing in it is secret. */
export interface KnownSession {
  readonly id: number;
  readonly company: string;
}

interface Sessions {
  readonly known: readonly KnownSession[];
  readonly current: KnownSession | null;
  /** Whether the session of this tab ended by itself. The user then chooses the next one. */
  readonly hasEnded: boolean;
  /** @throws CounterfoilError */
  readonly signIn: (apiKey: string) => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly switchTo: (id: number) => void;
  /** Forgets the current session, which the service has refused. */
  readonly forget: () => void;
}

const SessionsContext = createContext<Sessions | null>(null);

function readKnown(): readonly KnownSession[] {
  try {
    const stored = JSON.parse(readStored('sessions') ?? '[]') as readonly KnownSession[];
    return stored.filter(({ id, company }) => Number.isSafeInteger(id) && typeof company === 'string');
  } catch {
    return [];
  }
}

interface State {
  readonly known: readonly KnownSession[];
  readonly currentId: number | null;
  readonly hasEnded: boolean;
}

/** A reloaded tab stays in its company; a new one begins in the company that was chosen last. */
function firstState(): State {
  const known = readKnown();
  const last = Number(readOfTab('session') ?? readStored('session'));
  const current = known.find(({ id }) => id === last);
  return { known, currentId: current?.id ?? null, hasEnded: last !== 0 && !current };
}

const without = (known: readonly KnownSession[], id: number | null) => known.filter((one) => one.id !== id);

/** The state, which the browser keeps: the known sessions for all tabs, the current one for this tab. */
function useKept() {
  const [state, setState] = useState(firstState);
  const now = useRef(state);
  useEffect(() => writeOfTab('session', String(state.currentId ?? '')), [state.currentId]);
  return useMemo(() => {
    const keep = (next: State) => {
      now.current = next;
      writeStored('sessions', JSON.stringify(next.known));
      writeStored('session', String(next.currentId ?? ''));
      setState(next);
    };
    /** Never goes on in another company: the user chooses it. */
    const remove = (id: number | null, hasEnded: boolean) => {
      const known = without(readKnown(), id);
      const isCurrent = now.current.currentId === id;
      keep(isCurrent ? { known, currentId: null, hasEnded } : { ...now.current, known });
    };
    return { state, keep, remove };
  }, [state]);
}

/** Keeps which companies this browser is signed in to. The secrets are in cookies that no script can read. */
export function SessionsProvider({ children }: { readonly children: ReactNode }) {
  const { state, keep, remove } = useKept();
  const sessions = useMemo((): Sessions => {
    const { known, currentId, hasEnded } = state;
    const current = known.find(({ id }) => id === currentId) ?? null;
    return {
      ...{ known, current, hasEnded },
      signIn: async (apiKey) => {
        const { id } = await new Counterfoil({ apiKey, baseUrl: SERVICE_URL }).sessions.create();
        const { companyName } = await clientOf(id).caller.get();
        const session = { id, company: companyName };
        keep({ known: [...without(readKnown(), id), session], currentId: id, hasEnded: false });
      },
      signOut: async () => {
        if (!current) return;
        await clientOf(current.id)
          .sessions.end(current.id)
          .catch((error: unknown) => {
            if (!isCounterfoilError(error, 'UNAUTHENTICATED', 'NOT_FOUND', 'COMPANY_SUSPENDED')) throw error;
          });
        remove(current.id, false);
      },
      switchTo: (id) => keep({ known: readKnown(), currentId: id, hasEnded: false }),
      forget: () => remove(currentId, true),
    };
  }, [state]);
  return <SessionsContext value={sessions}>{children}</SessionsContext>;
}

export function useSessions(): Sessions {
  const sessions = use(SessionsContext);
  if (!sessions) throw new Error('SessionsProvider is missing');
  return sessions;
}

export const clientOf = (session: number) => new Counterfoil({ session, baseUrl: SERVICE_URL });

interface Account {
  readonly client: Counterfoil;
  readonly signedIn: SignedIn;
  /** Whether the role may do this: screens hide what it may not. */
  readonly may: (permission: Permission) => boolean;
}

const AccountContext = createContext<Account | null>(null);

export function AccountProvider({
  signedIn,
  children,
}: {
  readonly signedIn: SignedIn;
  readonly children: ReactNode;
}) {
  const account = useMemo(
    (): Account => ({
      client: clientOf(signedIn.sessionId ?? 0),
      signedIn,
      may: (permission) => signedIn.permissions.includes(permission),
    }),
    [signedIn],
  );
  return <AccountContext value={account}>{children}</AccountContext>;
}

/** The client of the current session, and the permissions of its role. */
export function useAccount(): Account {
  const account = use(AccountContext);
  if (!account) throw new Error('nobody is signed in');
  return account;
}

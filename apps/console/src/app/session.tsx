import { type AnswerOf, type ClientOptions, Counterfoil, isCounterfoilError } from '@counterfoil/sdk';
import { onlineManager } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { SERVICE_URL } from './addresses.ts';
import { fetchOf, isRefused, isSessionEnd } from './session-end.ts';
import { followStored, readOfTab, readStored, writeOfTab, writeStored } from './stored.ts';

export type SignedIn = AnswerOf<'GET /caller'>;
export type Permission = 'read' | 'write' | 'map-accounting' | 'set-rates' | 'administer';

/** A session as this browser remembers it: nothing in it is secret. */
export interface KnownSession {
  readonly id: number;
  readonly company: string;
}

interface Sessions {
  readonly known: readonly KnownSession[];
  /** The session of this tab. One that has ended stays, because its page does. */
  readonly current: KnownSession | null;
  /** Whether the session of this tab ended by itself. The user then signs in again, or chooses another company. */
  readonly hasEnded: boolean;
  /** Changes whenever pages must be built anew. It stays when a session replaces one that has ended. */
  readonly seat: number;
  /** @throws CounterfoilError */
  readonly signIn: (apiKey: string) => Promise<void>;
  /** Goes on with the pages of the session that has ended. */
  readonly replaceBy: (session: KnownSession) => void;
  readonly signOut: () => Promise<void>;
  readonly switchTo: (id: number) => void;
  /**
   * Forgets the sessions that the service has refused, and returns whether the one of this tab is among them: the
   * answer may be that of an earlier one.
   */
  readonly endRefused: () => boolean;
  /** Gives up the pages of the session that has ended. */
  readonly leave: () => void;
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

type State = Pick<Sessions, 'known' | 'current' | 'hasEnded' | 'seat'>;

/** A reloaded tab stays in its company; a new one begins in the company that was chosen last. */
function firstState(): State {
  const known = readKnown();
  const last = Number(readOfTab('session') ?? readStored('session'));
  const current = known.find(({ id }) => id === last) ?? null;
  return { known, current, hasEnded: last !== 0 && !current, seat: 0 };
}

const idOf = (session: KnownSession | null): string => String(session?.id ?? '');

/** The state, which the browser keeps: the known sessions for all tabs, the current one for this tab. */
function useKept() {
  const [state, setState] = useState(firstState);
  const now = useRef(state);
  const currentId = idOf(state.current);
  const set = (change: Partial<State>) => setState((now.current = { ...now.current, ...change }));
  useEffect(() => writeOfTab('session', currentId), [currentId]);
  useEffect(() => followStored('sessions', () => set({ known: readKnown() })), []);
  return useMemo(() => {
    /** Leaves the session of this tab, and the one that new tabs begin with, as they are. */
    const note = (change: Pick<State, 'known'> & Partial<Pick<State, 'hasEnded'>>) => {
      writeStored('sessions', JSON.stringify(change.known));
      set(change);
    };
    const keep = (change: Pick<State, 'known' | 'current'> & Partial<State>) => {
      const before = idOf(now.current.current);
      const next = idOf(change.current);
      note(change);
      // New tabs go on with what another tab has chosen meanwhile.
      if (next !== '' || readStored('session') === before) writeStored('session', next);
    };
    /** Never goes on in another company: the user chooses it. */
    const enter = (current: KnownSession | null, change: Partial<State> = {}) =>
      keep({ known: readKnown(), hasEnded: false, ...change, current, seat: now.current.seat + 1 });
    return { state, keep, note, enter, now: () => now.current };
  }, [state]);
}

/**
 * Opens a session with a key.
 *
 * @throws CounterfoilError
 */
export async function openSession(apiKey: string): Promise<SignedIn & { readonly session: KnownSession }> {
  const { id } = await new Counterfoil({ apiKey, baseUrl: SERVICE_URL }).sessions.create();
  const signedIn = await clientOf(id).caller.get();
  return { ...signedIn, session: { id, company: signedIn.companyName } };
}

/** Keeps which companies this browser is signed in to. The secrets are in cookies that no script can read. */
export function SessionsProvider({ children }: { readonly children: ReactNode }) {
  const { state, keep, note, enter, now } = useKept();
  const sessions = useMemo((): Sessions => {
    const { current } = state;
    return {
      ...state,
      signIn: async (apiKey) => {
        const { session } = await openSession(apiKey);
        enter(session, { known: [...readKnown(), session] });
      },
      replaceBy: (session) => keep({ known: [...readKnown(), session], current: session, hasEnded: false }),
      signOut: async () => {
        if (!current) return;
        await clientOf(current.id)
          .sessions.end(current.id)
          .catch((error: unknown) => {
            if (!isSessionEnd(error) && !isCounterfoilError(error, 'NOT_FOUND')) throw error;
          });
        const known = readKnown().filter(({ id }) => id !== current.id);
        // The user may have gone on in another company meanwhile.
        if (now().current?.id === current.id) enter(null, { known });
        else note({ known });
      },
      switchTo: (id) => {
        const known = readKnown();
        const next = known.find((one) => one.id === id);
        if (next) enter(next, { known });
        else note({ known });
      },
      endRefused: () => {
        const { current: own, hasEnded } = now();
        const isOwn = own !== null && isRefused(own.id);
        const all = readKnown();
        const known = all.filter(({ id }) => !isRefused(id));
        for (const { id } of all) if (isRefused(id)) endUnheard(id);
        if (isOwn && !hasEnded) note({ known, hasEnded: true });
        else if (known.length < all.length) note({ known });
        return isOwn;
      },
      leave: () => enter(null, { hasEnded: true }),
    };
  }, [state]);
  return <SessionsContext value={sessions}>{children}</SessionsContext>;
}

/** Ends a session that the console forgets. Otherwise it might be open again later, as after a suspension of its company. */
function endUnheard(id: number): void {
  clientOf(id)
    .sessions.end(id)
    .catch(() => undefined);
}

export function useSessions(): Sessions {
  const sessions = use(SessionsContext);
  if (!sessions) throw new Error('SessionsProvider is missing');
  return sessions;
}

/** @param options such as a `fetch` of its own */
export const clientOf = (session: number, options: Pick<ClientOptions, 'fetch' | 'timeout'> = {}) =>
  new Counterfoil({ session, baseUrl: SERVICE_URL, ...options, fetch: fetchOf(session, options.fetch) });

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
  // Effects of children run first, so the queries that pages show have the client of this session by now.
  useEffect(() => onlineManager.setOnline(true), [signedIn.sessionId]);
  return <AccountContext value={account}>{children}</AccountContext>;
}

/** The client of the current session, and the permissions of its role. */
export function useAccount(): Account {
  const account = use(AccountContext);
  if (!account) throw new Error('nobody is signed in');
  return account;
}

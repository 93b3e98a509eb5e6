import { isCounterfoilError } from '@counterfoil/sdk';
import {
  MutationCache,
  onlineManager,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { ToastsProvider } from '../parts/toasts.tsx';
import { PreferencesProvider } from './locale.tsx';
import { router } from './router.tsx';
import { isSessionEnd } from './session-end.ts';
import { SessionsProvider, useSessions } from './session.tsx';

const RETRIES = 1;

export function Console() {
  return (
    <PreferencesProvider>
      <ToastsProvider>
        <SessionsProvider>
          <OfSession />
        </SessionsProvider>
      </ToastsProvider>
    </PreferencesProvider>
  );
}

/** Answers of one company are never shown in another one. */
function OfSession() {
  const { seat, endRefused } = useSessions();
  const queries = useMemo(() => newQueries(endRefused), [seat]);
  useEffect(() => () => queries.clear(), [queries]);
  return (
    <QueryClientProvider client={queries} key={seat}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

function newQueries(endRefused: () => boolean): QueryClient {
  /** Queries then wait for the next session as for a connection, so that their pages stay as they are. */
  const endsSession = (error: unknown): boolean => {
    if (!isSessionEnd(error) || !endRefused()) return false;
    onlineManager.setOnline(false);
    return true;
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => void endsSession(error) }),
    mutationCache: new MutationCache({
      onError: (error, _input, _context, { meta }) => {
        if (meta?.['isSignIn'] !== true) endsSession(error);
      },
    }),
    defaultOptions: {
      queries: {
        // The SDK has already repeated what may succeed later. A refusal of an earlier session does not end this one.
        retry: (count, error) =>
          endsSession(error) ||
          (count < RETRIES && (isSessionEnd(error) || isCounterfoilError(error, 'CONNECTION_FAILED'))),
        staleTime: 10_000,
      },
    },
  });
}

import { isCounterfoilError } from '@counterfoil/sdk';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ToastsProvider } from '../parts/toasts.tsx';
import { PreferencesProvider } from './locale.tsx';
import { router } from './router.tsx';
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

/** Answers of one session are never shown in another one. */
function OfSession() {
  const { current, forget } = useSessions();
  const queries = useMemo(() => newQueries(forget), [current?.id]);
  return (
    <QueryClientProvider client={queries} key={current?.id ?? 'none'}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

function newQueries(forget: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (isCounterfoilError(error, 'UNAUTHENTICATED', 'COMPANY_SUSPENDED')) forget();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error, _input, _context, { meta }) => {
        if (meta?.['isSignIn'] !== true) onError(error);
      },
    }),
    defaultOptions: {
      queries: {
        // The SDK has already repeated what may succeed later.
        retry: (count, error) => count < RETRIES && isCounterfoilError(error, 'CONNECTION_FAILED'),
        staleTime: 10_000,
      },
    },
  });
}

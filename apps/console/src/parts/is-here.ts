import { useEffect, useRef } from 'react';
import { useMatch, useNavigate, useRouter } from '@tanstack/react-router';

/**
 * Returns a function that says whether the address still names the page. A page stays for a while after another one was
 * asked for, and what it does after a pause or a call is not meant for the other one.
 */
export function useIsHere(): () => boolean {
  const router = useRouter();
  const own = useMatch({ strict: false, select: ({ id }) => id });
  return () => router.matchRoutes(router.latestLocation.pathname).at(-1)?.id === own;
}

/**
 * Returns `navigate` for after a call. It does nothing if another page was asked for meanwhile, or if the page shows
 * something else by now.
 */
export function useGoOn(): ReturnType<typeof useNavigate> {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return (options) => (isShown.current && isHere() ? navigate(options) : Promise.resolve());
}

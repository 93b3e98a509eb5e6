import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { SCREENS } from '../screens.ts';
import { BASE_PATH } from './addresses.ts';
import { MayNot, NotFound } from './not-found.tsx';
import type { Screen } from './screen.ts';
import { useAccount } from './session.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignIn });

const screens = SCREENS.map((screen) =>
  createRoute({
    getParentRoute: () => root,
    path: screen.path,
    component: componentOf(screen),
    pendingComponent: Loading,
  }),
);

/** The screen, for roles that may open it. */
function componentOf({ load, needs }: Screen) {
  const Page = lazyRouteComponent(load, 'Page');
  const Allowed = () => (useAccount().may(needs) ? <Page /> : <MayNot />);
  return Object.assign(Allowed, { preload: () => Page.preload?.() });
}

export const router = createRouter({
  routeTree: root.addChildren([signIn, ...screens]),
  basepath: BASE_PATH,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }) => <ErrorNotice error={error} retry={reset} />,
  scrollRestoration: true,
});

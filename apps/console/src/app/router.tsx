import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Loading } from '../parts/loading.tsx';
import { SCREENS } from '../screens.ts';
import { BASE_PATH } from './addresses.ts';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './sign-in.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignIn });

const screens = SCREENS.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, 'Page'),
    pendingComponent: Loading,
  }),
);

export const router = createRouter({
  routeTree: root.addChildren([signIn, ...screens]),
  basepath: BASE_PATH,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

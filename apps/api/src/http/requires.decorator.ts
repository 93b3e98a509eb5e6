import type { Permission } from '@counterfoil/kernel';
import { routeConfig } from './route-config.decorator';

export const PUBLIC = 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission that the route needs. A route without one refuses every caller. */
    readonly access?: Permission | typeof PUBLIC;
  }
}

/** What the caller's role must permit, for one route or a whole controller (decisions §3). */
export const Requires = (permission: Permission) => routeConfig({ access: permission });

/** The route needs no key. */
export const Public = () => routeConfig({ access: PUBLIC });

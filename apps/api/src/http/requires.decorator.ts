import type { Permission } from '@counterfoil/kernel';
import { SetMetadata } from '@nestjs/common';

export const PERMISSION_KEY = 'counterfoil:permission';
export const PUBLIC = 'public';

/** What the caller's role must permit, for one route or a whole controller (decisions §3). */
export const Requires = (permission: Permission) => SetMetadata(PERMISSION_KEY, permission);

/** The route needs no key. */
export const Public = () => SetMetadata(PERMISSION_KEY, PUBLIC);

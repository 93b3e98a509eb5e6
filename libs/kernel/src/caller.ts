export const ROLES = ['owner', 'accountant', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The permissions that roles grant (contract §4.3). `administer` covers keys, webhooks and company settings,
 * `set-rates` covers exchange rates.
 */
export type Permission = 'read' | 'write' | 'map-accounting' | 'set-rates' | 'administer';

const PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: ['read', 'write', 'map-accounting', 'set-rates', 'administer'],
  accountant: ['read', 'write', 'map-accounting', 'set-rates'],
  editor: ['read', 'write'],
  viewer: ['read'],
};

/** The authenticated caller: an API key, its user, and the only company whose data it can reach. */
export interface Caller {
  readonly companyId: number;
  readonly userId: number;
  readonly apiKeyId: number;
  readonly role: Role;
  /** The session that the request was made with, instead of the key. */
  readonly sessionId?: number;
}

export function permissionsOf(role: Role): readonly Permission[] {
  return PERMISSIONS[role];
}

export function roleMay(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}

export const ROLES = ['owner', 'accountant', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What a role may do (decisions §3, §4). `administer` covers keys, webhooks and company settings, `set-rates` exchange
 * rates.
 */
export type Permission = 'read' | 'write' | 'map-accounting' | 'set-rates' | 'administer';

const PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: ['read', 'write', 'map-accounting', 'set-rates', 'administer'],
  accountant: ['read', 'write', 'map-accounting', 'set-rates'],
  editor: ['read', 'write'],
  viewer: ['read'],
};

/** Who is asking: an API key, the user it belongs to, and the one company whose data it can reach. */
export interface Caller {
  readonly companyId: number;
  readonly userId: number;
  readonly apiKeyId: number;
  readonly role: Role;
}

/** Whether a role grants a permission. */
export function roleMay(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}

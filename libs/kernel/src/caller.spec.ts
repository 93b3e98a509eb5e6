import { roleMay } from './caller';

describe('roles (contract §4.3)', () => {
  it.each([
    ['owner', 'read write map-accounting set-rates administer'],
    ['accountant', 'read write map-accounting set-rates'],
    ['editor', 'read write'],
    ['viewer', 'read'],
  ] as const)('%s may %s', (role, expected) => {
    const all = ['read', 'write', 'map-accounting', 'set-rates', 'administer'] as const;
    expect(all.filter((permission) => roleMay(role, permission)).join(' ')).toBe(expected);
  });
});

import { SecretBox } from './secret-box';

const KEY = 'k'.repeat(32);

describe('SecretBox', () => {
  it('opens what it sealed, and seals differently each time', () => {
    const box = new SecretBox(KEY, 'test');
    const sealed = box.seal('whsec_סוד');
    expect(box.open(sealed)).toBe('whsec_סוד');
    expect(box.seal('whsec_סוד')).not.toBe(sealed);
    expect(sealed).not.toContain('whsec_');
  });

  it('does not open a secret with another key, for another purpose, or after a change', () => {
    const sealed = new SecretBox(KEY, 'test').seal('whsec_a');
    const altered = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    expect(() => new SecretBox('x'.repeat(32), 'test').open(sealed)).toThrow();
    expect(() => new SecretBox(KEY, 'other').open(sealed)).toThrow();
    expect(() => new SecretBox(KEY, 'test').open(altered)).toThrow();
    expect(() => new SecretBox(KEY, 'test').open('whsec_a')).toThrow('not a sealed secret');
  });
});

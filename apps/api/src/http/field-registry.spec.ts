import { FieldRegistry } from './field-registry';

const registry = new FieldRegistry<string>();

class Base {
  @registry.give('id of the base')
  readonly id?: number;

  @registry.give('name of the base')
  readonly name?: string;
}

class Derived extends Base {
  @registry.give('name of the derived')
  declare readonly name?: string;

  @registry.give('note of the derived')
  readonly note?: string;
}

class Bare {}

describe('a registry of fields', () => {
  it('has the fields of a class in order', () => {
    expect([...registry.valuesOf(Base)]).toEqual([
      ['id', 'id of the base'],
      ['name', 'name of the base'],
    ]);
  });

  it('has inherited fields, and prefers the values of the class itself', () => {
    expect([...registry.valuesOf(Derived)]).toEqual([
      ['id', 'id of the base'],
      ['name', 'name of the derived'],
      ['note', 'note of the derived'],
    ]);
  });

  it('has no fields for a class without decorators', () => {
    expect(registry.valuesOf(Bare).size).toBe(0);
  });
});

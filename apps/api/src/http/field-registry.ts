import type { Type } from '@nestjs/common';

/** Values that decorators attach to the fields of classes. A class inherits the values of its base classes. */
export class FieldRegistry<T> {
  private readonly declared = new WeakMap<object, Map<string, T>>();
  private readonly found = new WeakMap<Type, ReadonlyMap<string, T>>();

  /** Returns a decorator that attaches the value to its field. */
  give(value: T): PropertyDecorator {
    return (prototype, name) => {
      const fields = this.declared.get(prototype) ?? new Map<string, T>();
      this.declared.set(prototype, fields.set(String(name), value));
    };
  }

  /** The values by field name, in the order of declaration. A class overrides the values of its base classes. */
  valuesOf(type: Type): ReadonlyMap<string, T> {
    const known = this.found.get(type);
    if (known) return known;
    const fields = new Map<string, T>();
    for (const prototype of prototypesOf(type)) {
      for (const [name, value] of this.declared.get(prototype) ?? []) fields.set(name, value);
    }
    this.found.set(type, fields);
    return fields;
  }
}

/** The prototypes of a class and of its base classes, the outermost base first. */
function prototypesOf(type: Type): readonly object[] {
  const line: object[] = [];
  let prototype: unknown = type.prototype;
  while (typeof prototype === 'object' && prototype !== null) {
    line.unshift(prototype);
    prototype = Object.getPrototypeOf(prototype);
  }
  return line;
}

import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { FieldRegistry } from './field-registry';

type Fields = Record<string, unknown>;

const NESTED = new FieldRegistry<() => Type>();
const NAMES = new WeakMap<Type, readonly string[]>();

/** Marks a field as an object of a class. */
export const Nested = (of: () => Type): PropertyDecorator => NESTED.give(of);

/**
 * The fields of a body or a query that its class has, those of nested objects included. class-transformer would look at
 * all others one by one before they are dropped: 9,900 of them take 100 ms and more.
 */
export function knownFieldsOf(sent: object, type: Type): Fields {
  const known: Fields = {};
  const nested = NESTED.of(type);
  for (const name of namesOf(type)) {
    if (!Object.hasOwn(sent, name)) continue;
    const value = (sent as Fields)[name];
    const of = nested.get(name);
    known[name] = of && isObject(value) ? knownFieldsOf(value, of()) : value;
  }
  return known;
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function namesOf(type: Type): readonly string[] {
  const known = NAMES.get(type);
  if (known) return known;
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = [...new Set(checks.map(({ propertyName }) => propertyName))];
  NAMES.set(type, names);
  return names;
}

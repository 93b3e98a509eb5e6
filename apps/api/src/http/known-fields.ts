import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { checksOf } from './field';
import type { Handler } from './route.decorators';
import { listsOf, nestedOf } from './validation';

/** The fields of an object by name, each with those of its value, or of the entries of its list; null if any. */
export type KnownFields = ReadonlyMap<string, KnownFields | null>;

/** The fields that a route reads. */
export interface RouteFields {
  readonly query: ReadonlySet<string>;
  /** Null if the body is not an object of known fields. */
  readonly body: KnownFields | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The fields of the body, if no class of a parameter declares them. */
    readonly bodyFields?: KnownFields;
  }
}

const QUERY_NAMES = 'counterfoil:query-names';
const NONE: KnownFields = new Map();

/** Declares query parameters that the handler, or this parameter of it, reads without a class. */
export const ReadsQuery =
  (...names: readonly string[]): MethodDecorator & ParameterDecorator =>
  (prototype: object, method?: string | symbol) => {
    if (method === undefined) throw new Error('a constructor reads no query');
    const known = namesReadBy(prototype, method);
    Reflect.defineMetadata(QUERY_NAMES, [...known, ...names], prototype, method);
  };

const namesReadBy = (prototype: object, method: string | symbol): readonly string[] =>
  (Reflect.getMetadata(QUERY_NAMES, prototype, method) as readonly string[] | undefined) ?? [];

/** Derives the fields that a handler reads from the classes of its parameters. */
export function fieldsReadBy({ prototype, method }: Handler, bodyFields?: KnownFields): RouteFields {
  const query = typesOf(RouteParamtypes.QUERY, prototype, method).map(fieldsOf);
  const [body] = typesOf(RouteParamtypes.BODY, prototype, method);
  return {
    query: new Set([...query.flatMap((fields) => [...fields.keys()]), ...namesReadBy(prototype, method)]),
    body: bodyFields ?? (body ? declaredFields(body) : NONE),
  };
}

/** The classes of a handler's parameters of one kind. */
function typesOf(kind: RouteParamtypes, prototype: object, method: string): Type[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, method) ?? {}) as object;
  const types = Reflect.getMetadata('design:paramtypes', prototype, method) as Type[];
  return Object.keys(args)
    .map((key) => key.split(':'))
    .filter(([of]) => of === `${kind}`)
    .flatMap(([, index]) => types[Number(index)] ?? []);
}

/** Null for a class without decorated fields: that of an interface, which only exists at compile time. */
function declaredFields(type: Type): KnownFields | null {
  const fields = fieldsOf(type);
  return fields.size > 0 ? fields : null;
}

const FIELDS = new WeakMap<Type, KnownFields>();

/** The fields of a class, its base classes, and the classes of its objects and lists. */
export function fieldsOf(type: Type): KnownFields {
  const known = FIELDS.get(type);
  if (known) return known;
  const fields = new Map<string, KnownFields | null>();
  // Set first, because a class may contain itself.
  FIELDS.set(type, fields);
  const children = new Map([...nestedOf(type), ...listsOf(type)]);
  for (const name of checksOf(type).keys()) {
    const child = children.get(name);
    fields.set(name, child ? fieldsOf(child()) : null);
  }
  return fields;
}

/** The fields of a body that is an object of one of several classes. */
export function fieldsOfAny(...types: readonly Type[]): KnownFields {
  return new Map(types.flatMap((type) => [...fieldsOf(type)]));
}

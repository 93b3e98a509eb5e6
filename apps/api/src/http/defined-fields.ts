export type DefinedFields<Body> = { readonly [Field in keyof Body]?: Exclude<Body[Field], undefined> };

/** The fields of an edit that were sent. Decorated classes may carry the others as `undefined`. */
export function definedFields<Body extends object>(body: Body): DefinedFields<Body> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as DefinedFields<Body>;
}

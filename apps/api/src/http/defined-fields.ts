export type SentFields<Body> = { readonly [Field in keyof Body]?: Exclude<Body[Field], undefined> };

/** The fields of an edit that were sent. Decorated classes may carry the others as `undefined`. */
export function sentFields<Body extends object>(body: Body): SentFields<Body> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  ) as SentFields<Body>;
}

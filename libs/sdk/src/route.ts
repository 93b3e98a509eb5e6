import type { paths } from './api-types.ts';

// Everything here is derived from methods and paths. Names of operations and schemas may change.

type Method = 'get' | 'post' | 'put' | 'delete';

/** A method and a path of the API: `POST /vendors/create`. */
export type Route = {
  [Path in keyof paths]: {
    [Verb in Method]: [Described<Path, Verb>] extends [never] ? never : `${Uppercase<Verb>} ${Path}`;
  }[Method];
}[keyof paths];

type Described<Path extends keyof paths, Verb extends Method> = Verb extends keyof paths[Path]
  ? NonNullable<paths[Path][Verb]>
  : never;

type OperationAt<R extends Route> = R extends `${infer Verb} ${infer Path extends keyof paths}`
  ? Described<Path, Lowercase<Verb> & Method>
  : never;

/** An id in a path. Numbers and texts are sent alike. */
export type Id = string | number;

type Parameters<R extends Route> = OperationAt<R> extends { parameters: infer All } ? All : never;

/** The query parameters of a route; never if it has none. */
export type QueryOf<R extends Route> =
  Parameters<R> extends { query?: infer Query } ? NonNullable<Query> : never;

type HeadersOf<R extends Route> =
  Parameters<R> extends { header?: infer Header } ? NonNullable<Header> : never;

type RequestOf<R extends Route> =
  OperationAt<R> extends { requestBody?: infer Request } ? NonNullable<Request> : never;

/** The JSON body of a request; never if the route takes none. */
export type BodyOf<R extends Route> = [RequestOf<R>] extends [never]
  ? never
  : RequestOf<R> extends { content: { 'application/json': infer Body } }
    ? Body
    : never;

type ContentOf<Answer> = Answer extends { content: infer Content }
  ? Content extends { 'application/json': infer Body }
    ? Body
    : Content extends { 'text/html': string }
      ? string
      : Blob
  : never;

type AnswersOf<R extends Route> = OperationAt<R> extends { responses: infer Answers } ? Answers : never;

/** The body of a successful answer. */
export type AnswerOf<R extends Route> = ContentOf<AnswersOf<R>[keyof AnswersOf<R> & (200 | 201)]>;

/** A batch of a sweep, which a list may also answer with. */
export type Batched = { readonly nextCursor: unknown };

export type RowIn<Page> = Page extends { data: (infer Row)[] } ? Row : never;

/** A row of a list, as it is answered without a sweep. */
export type RowOf<R extends Route> = [Exclude<AnswerOf<R>, Batched>] extends [never]
  ? RowIn<AnswerOf<R>>
  : RowIn<Exclude<AnswerOf<R>, Batched>>;

type IsKeyed<R extends Route> = [HeadersOf<R>] extends [never]
  ? false
  : 'Idempotency-Key' extends keyof HeadersOf<R>
    ? true
    : false;

type IsPaged<R extends Route> = [QueryOf<R>] extends [never]
  ? false
  : 'offset' extends keyof QueryOf<R>
    ? true
    : false;

/** The routes that take an `Idempotency-Key`. */
export type KeyedRoute = { [R in Route]: IsKeyed<R> extends true ? R : never }[Route];

/** The lists that answer page by page. */
export type PagedRoute = { [R in Route]: IsPaged<R> extends true ? R : never }[Route];

/** The lists that answer all rows at once. */
export type WholeListRoute = {
  [R in Route]: [RowOf<R>] extends [never] ? never : IsPaged<R> extends true ? never : R;
}[Route];

/** Which argument follows those of the path. */
export type InputOf<R extends Route> = [BodyOf<R>] extends [never]
  ? [QueryOf<R>] extends [never]
    ? 'none'
    : 'query'
  : 'body';

type PathValue<R extends Route, Name extends string> =
  Parameters<R> extends { path: infer Path }
    ? Name extends keyof Path
      ? string extends Path[Name]
        ? Id
        : number extends Path[Name]
          ? Id
          : Path[Name]
      : never
    : never;

/** The arguments for the placeholders of a path, in their order. */
export type PathArguments<
  R extends Route,
  Rest extends string = R,
> = Rest extends `${string}{${infer Name}}${infer Tail}`
  ? Name extends 'type'
    ? [type: PathValue<R, Name>, ...PathArguments<R, Tail>]
    : [id: PathValue<R, Name>, ...PathArguments<R, Tail>]
  : [];

/** The body or the query of a route, as its argument; optional if the service does not require it. */
export type InputArgument<R extends Route> = [BodyOf<R>] extends [never]
  ? [QueryOf<R>] extends [never]
    ? []
    : Parameters<R> extends { query: object }
      ? [query: QueryOf<R>]
      : [query?: QueryOf<R> | undefined]
  : OperationAt<R> extends { requestBody: object }
    ? [body: BodyOf<R>]
    : [body?: BodyOf<R> | undefined];

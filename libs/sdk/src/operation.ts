import type { List } from './list.ts';
import type { AnswerKind, CallOptions, Paging, Repetition } from './request.ts';
import type {
  AnswerOf,
  InputArgument,
  InputOf,
  KeyedRoute,
  PagedRoute,
  PathArguments,
  QueryOf,
  Route,
  RowOf,
  WholeListRoute,
} from './route.ts';

/** One row of the table of operations. */
export interface Operation<R extends Route = Route> {
  readonly route: R;
  readonly input: 'none' | 'query' | 'body';
  readonly repetition: Repetition;
  readonly answer: AnswerKind;
}

export interface ListOperation<R extends Route = Route> extends Operation<R> {
  readonly paging: Paging;
}

/** The input must be named unless there is none. The compiler compares it with the description of the API. */
type Input<R extends Route> = InputOf<R> extends 'none' ? [] : [input: InputOf<R>];

type SafeRoute = Exclude<Route, KeyedRoute>;

const operation = <R extends Route>(
  route: R,
  repetition: Repetition,
  input: Operation['input'] = 'none',
): Operation<R> => ({ route, input, repetition, answer: 'json' });

/** A call that changes nothing, or nothing more when it is repeated. */
export const safe = <R extends SafeRoute>(route: R, ...[input]: Input<R>): Operation<R> =>
  operation(route, 'safely', input);

/** A call that creates or moves something, once for each `Idempotency-Key`. */
export const keyed = <R extends KeyedRoute>(route: R, ...[input]: Input<R>): Operation<R> =>
  operation(route, 'keyed', input);

/** A call that acts each time, and takes no key. */
export const once = <R extends SafeRoute>(route: R, ...[input]: Input<R>): Operation<R> =>
  operation(route, 'never', input);

/** A call whose answer is a page for people. */
export const html = <R extends SafeRoute>(route: R, ...[input]: Input<R>): Operation<R> => ({
  ...operation(route, 'safely', input),
  answer: 'text',
});

/** A call whose answer is a file. */
export const file = <R extends SafeRoute>(route: R, ...[input]: Input<R>): Operation<R> => ({
  ...operation(route, 'safely', input),
  answer: 'blob',
});

export const list = <R extends PagedRoute>(route: R): ListOperation<R> => ({
  ...operation(route, 'safely', 'query'),
  paging: 'counted',
});

export const uncountedList = <R extends PagedRoute>(route: R): ListOperation<R> => ({
  ...operation(route, 'safely', 'query'),
  paging: 'uncounted',
});

export const wholeList = <R extends WholeListRoute>(route: R, ...[input]: Input<R>): ListOperation<R> => ({
  ...operation(route, 'safely', input),
  paging: 'whole',
});

/** A call: the ids of its path, then its body or query, then options. */
export type Call<R extends Route> = (
  ...args: [...PathArguments<R>, ...InputArgument<R>, options?: CallOptions | undefined]
) => Promise<AnswerOf<R>>;

/** A list: `await` it for one page, or iterate it with `for await` over the rows of all pages. */
export type ListCall<R extends Route> = (
  ...args: [...PathArguments<R>, ...ListInput<R>, options?: CallOptions | undefined]
) => List<RowOf<R>, AnswerOf<R>>;

/** The change feed has a method of its own. */
type ListInput<R extends Route> = [QueryOf<R>] extends [never]
  ? []
  : 'cursor' extends keyof QueryOf<R>
    ? [query?: Omit<QueryOf<R>, 'cursor' | 'updatedSince'> | undefined]
    : InputArgument<R>;

/** The methods of a table of operations. */
export type Resource<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends ListOperation<infer R>
    ? ListCall<R>
    : Table[Name] extends Operation<infer R>
      ? Call<R>
      : never;
};

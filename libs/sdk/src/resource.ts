import { List } from './list.ts';
import type { ListOperation, Operation, Resource } from './operation.ts';
import { filledPath, queryText } from './path.ts';
import type { CallOptions, Query } from './request.ts';
import type { Transport } from './transport.ts';

/** Makes the methods of a table of operations. */
export function resourceOf<Table extends Readonly<Record<string, Operation | ListOperation>>>(
  transport: Transport,
  table: Table,
): Resource<Table> {
  const methods = Object.entries(table).map(([name, operation]) => {
    const method =
      'paging' in operation ? listMethod(transport, operation) : callMethod(transport, operation);
    return [name, method];
  });
  return Object.fromEntries(methods) as Resource<Table>;
}

/** The arguments of a call, told apart. */
interface Arguments {
  readonly ids: readonly unknown[];
  readonly input: unknown;
  readonly options: CallOptions | undefined;
}

function argumentsOf({ route, input }: Operation, given: readonly unknown[]): Arguments {
  const count = route.split('{').length - 1;
  const rest = given.slice(count);
  const [value, options] = input === 'none' ? [undefined, rest[0]] : rest;
  return { ids: given.slice(0, count), input: value, options: options as CallOptions | undefined };
}

function callMethod(transport: Transport, operation: Operation) {
  return async (...given: readonly unknown[]): Promise<unknown> => {
    const { ids, input, options } = argumentsOf(operation, given);
    const sent = operation.input === 'body' ? { body: input } : { query: input as Query | undefined };
    return request(transport, operation, { ids, options, ...sent });
  };
}

function listMethod(transport: Transport, operation: ListOperation) {
  return (...given: readonly unknown[]): List<unknown, unknown> => {
    const { ids, input, options } = argumentsOf(operation, given);
    const query = (input ?? {}) as Query;
    // The service ignores the window in a sweep, so the same batch would be read for ever.
    if (query['updatedSince'] !== undefined || query['cursor'] !== undefined)
      throw new TypeError('updatedSince and cursor open the change feed: use documents.changes');
    const read = (window: Query) => request(transport, operation, { ids, options, query: window });
    return new List(read, query, operation.paging);
  };
}

interface Sent {
  readonly ids: readonly unknown[];
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly options: CallOptions | undefined;
}

/** Sends one operation. */
export async function request(
  transport: Transport,
  operation: Operation,
  { ids, query, body, options }: Sent,
): Promise<unknown> {
  const [method = '', template = ''] = operation.route.split(' ');
  const path = filledPath(template, ids) + queryText(query);
  const { repetition, answer } = operation;
  return transport.send({ method, path, body, repetition, answer }, options);
}

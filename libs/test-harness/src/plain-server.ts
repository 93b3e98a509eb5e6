import { SideProcess } from './side-process';

export interface PlainStatement {
  readonly name?: string | undefined;
  readonly text: string;
  /**
   * In strings, `{uuid}` is replaced by a new UUID, and `{column}` by the value of a column of an earlier statement of
   * the same call.
   */
  readonly values: readonly unknown[];
}

/** The statements that answer a call, sent one after the other. The rows of the last one with rows are the answer. */
export interface PlainRoute {
  readonly statements: readonly PlainStatement[];
  /** Default: 200. */
  readonly status?: number;
}

/** A minimal server, as the baseline of a bench: node:http and pg, and nothing else. */
export interface PlainServer {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

/** @param routes by path, without a query */
export async function startPlainServer(
  databaseUrl: string,
  routes: Readonly<Record<string, PlainRoute>>,
): Promise<PlainServer> {
  const side = SideProcess.start('plain-server-process.mjs');
  const port = await side.call<number>('start', { databaseUrl, routes });
  return { url: `http://127.0.0.1:${port}`, pid: side.pid, close: () => side.close() };
}

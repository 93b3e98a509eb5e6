import { SideProcess } from './side-process';

export interface PlainStatement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A minimal server for a page of a list, as the baseline of a bench. */
export interface PlainServer {
  readonly url: string;
  close(): Promise<void>;
}

/** @param statement the statement that answers every request */
export async function startPlainServer(databaseUrl: string, statement: PlainStatement): Promise<PlainServer> {
  const side = SideProcess.start('plain-server-process.mjs');
  const port = await side.call<number>('start', { databaseUrl, statement });
  return { url: `http://127.0.0.1:${port}`, close: () => side.close() };
}

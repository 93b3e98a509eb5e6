import { SideProcess } from './side-process';

/** A collector of traces in a separate process, which keeps nothing. */
export interface TraceDrain {
  readonly url: string;
  /** The bytes that it was sent so far. */
  bytes(): Promise<number>;
  close(): Promise<void>;
}

export async function startTraceDrain(): Promise<TraceDrain> {
  const side = SideProcess.start('trace-drain-process.mjs');
  const port = await side.call<number>('start', {});
  return {
    url: `http://127.0.0.1:${port}`,
    bytes: () => side.call<number>('bytes', {}),
    close: () => side.close(),
  };
}

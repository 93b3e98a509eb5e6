import { SideProcess } from './side-process';

/**
 * A separate PostgreSQL of the test, with the settings of the embedded one: committed data survives a kill.
 */
export interface OwnPostgres {
  /** The URL of a superuser and an empty database. It does not change when the server is restarted. */
  readonly url: string;
  /** Kills the server and its backends with SIGKILL, like a power cut. */
  kill(): Promise<void>;
  /** Starts it after a kill, on the same data and port. Resolves when it answers. */
  startAgain(): Promise<void>;
  /** Stops it, copies its data folder, and starts it again. */
  keepCopy(): Promise<void>;
  /** Stops it, replaces its data by the copy, and starts it again. */
  putCopyBack(): Promise<void>;
  /**
   * Starts a hot standby, which ends together with it. @returns the superuser's URL of the same database on
   * the standby
   */
  startStandby(): Promise<string>;
  /** Promotes the standby. From then on both servers accept writes. */
  promoteStandby(): Promise<void>;
  /** Deletes the data, too. */
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const side = SideProcess.start('postgres-process.mjs');
  try {
    const url = await side.call<string>('start');
    const startsAgainBy = async (method: string) => {
      const again = await side.call<string>(method);
      if (again !== url) throw new Error('PostgreSQL restarted at another URL');
    };
    return {
      url,
      kill: () => side.call('kill'),
      startAgain: () => startsAgainBy('start'),
      keepCopy: () => startsAgainBy('keepCopy'),
      putCopyBack: () => startsAgainBy('putCopyBack'),
      startStandby: () => side.call('startStandby'),
      promoteStandby: () => side.call('promoteStandby'),
      stop: () => side.close(),
    };
  } catch (error) {
    await side.close();
    throw error;
  }
}

import { SideProcess } from './side-process';

/** A PostgreSQL of the test's own, with the settings of the embedded default: what it has committed survives a kill. */
export interface OwnPostgres {
  /** Of a superuser, to an empty database. The same after each start. */
  readonly url: string;
  /** Ends the server and all that serve its connections with SIGKILL, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again after a kill, on the same data and the same port. Resolves when it answers. */
  startAgain(): Promise<void>;
  /** Copies its data folder while it is stopped, and starts it again. */
  keepCopy(): Promise<void>;
  /** Stops it, puts that copy in the place of its data, and starts it again. */
  putCopyBack(): Promise<void>;
  /** Starts a hot standby, which goes with it. @returns its URL, of a superuser, to the same database */
  startStandby(): Promise<string>;
  /** Makes the standby a primary. Both take writes from then on. */
  promoteStandby(): Promise<void>;
  /** Its data are deleted. */
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const side = SideProcess.start('postgres-process.mjs');
  try {
    const url = await side.call<string>('start');
    const startsAgainBy = async (method: string) => {
      const again = await side.call<string>(method);
      if (again !== url) throw new Error('PostgreSQL did not come back where it was');
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

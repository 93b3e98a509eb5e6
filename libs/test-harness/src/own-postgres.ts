import { SideProcess } from './side-process';

/** A PostgreSQL of the test's own, with the settings of the embedded default: what it has committed survives a kill. */
export interface OwnPostgres {
  /** Of a superuser, to an empty database. The same after each start. */
  readonly url: string;
  /** Ends the server and all that serve its connections with SIGKILL, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again after a kill, on the same data and the same port. Resolves when it answers. */
  startAgain(): Promise<void>;
  /** Its data are deleted. */
  stop(): Promise<void>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const side = SideProcess.start('postgres-process.mjs');
  try {
    const url = await side.call<string>('start');
    return {
      url,
      kill: () => side.call('kill'),
      startAgain: async () => {
        const again = await side.call<string>('start');
        if (again !== url) throw new Error('PostgreSQL did not come back where it was');
      },
      stop: () => side.close(),
    };
  } catch (error) {
    await side.close();
    throw error;
  }
}

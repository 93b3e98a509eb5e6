import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, EXIT } from './failure';

/** A key, and the only service that it is sent to. */
export interface Login {
  readonly url: string;
  readonly key: string;
}

type Logins = Readonly<Record<string, Login>>;

export const DEFAULT_PROFILE = 'default';

/** The stored logins by the name of their profile. Only the user who stored them can read the file. */
export class LoginFile {
  readonly path: string;

  constructor(private readonly folder: string) {
    this.path = path.join(folder, 'logins.json');
  }

  async find(profile: string): Promise<Login | undefined> {
    return (await this.#read())[profile];
  }

  async store(profile: string, login: Login): Promise<void> {
    await this.#write({ ...(await this.#read()), [profile]: login });
  }

  /** @returns whether there was one */
  async remove(profile: string): Promise<boolean> {
    const { [profile]: removed, ...others } = await this.#read();
    if (removed === undefined) return false;
    if (Object.keys(others).length === 0) await rm(this.path);
    else await this.#write(others);
    return true;
  }

  async #read(): Promise<Logins> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
    try {
      return JSON.parse(text) as Logins;
    } catch {
      throw new CommandError(EXIT.usage, `${this.path} is not JSON: correct or delete it`);
    }
  }

  /** Replaces the file atomically, so that a reader never sees a part of it. */
  async #write(logins: Logins): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const draft = `${this.path}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, this.path);
  }
}

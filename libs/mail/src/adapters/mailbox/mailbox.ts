import fs from 'node:fs/promises';
import path from 'node:path';

/** A mail as the pages of the mailbox show it. */
export interface StoredMail {
  readonly id: number;
  readonly from: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly { readonly fileName: string; readonly size: number }[];
  readonly storedAt: string;
}

const SHOWN_MAX = 100;

/**
 * Files instead of a mail server, for development: each mail is an `.eml` file, with a summary beside it. The worker
 * writes them, and the API shows them.
 */
export class Mailbox {
  private readonly directory: string;

  constructor(dataDir: string) {
    this.directory = path.join(dataDir, 'mailbox');
  }

  /** Stores a mail. A mail that is stored again replaces its file. */
  async store(mail: StoredMail, content: Uint8Array): Promise<void> {
    await fs.mkdir(this.directory, { recursive: true });
    await this.write(this.message(mail.id), content);
    await this.write(this.summary(mail.id), JSON.stringify(mail));
  }

  /** Returns the newest mails, the newest first. */
  async newest(): Promise<readonly StoredMail[]> {
    const ids = (await this.fileNames()).flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? []).map(Number);
    const newest = ids.sort((a, b) => b - a).slice(0, SHOWN_MAX);
    const mails = await Promise.all(newest.map((id) => this.find(id)));
    return mails.filter((mail) => mail !== null);
  }

  /** Null if there is no such mail. */
  async find(id: number): Promise<StoredMail | null> {
    const text = await this.read(this.summary(id));
    return text && (JSON.parse(text.toString()) as StoredMail);
  }

  /** The bytes of a message; null if there is no such mail. */
  content(id: number): Promise<Buffer | null> {
    return this.read(this.message(id));
  }

  private message(id: number): string {
    return path.join(this.directory, `${id}.eml`);
  }

  private summary(id: number): string {
    return path.join(this.directory, `${id}.json`);
  }

  private async write(file: string, content: Uint8Array | string): Promise<void> {
    await fs.writeFile(`${file}.new`, content);
    await fs.rename(`${file}.new`, file);
  }

  private async read(file: string): Promise<Buffer | null> {
    return fs.readFile(file).catch(nullIfMissing);
  }

  private async fileNames(): Promise<readonly string[]> {
    return (await fs.readdir(this.directory).catch(nullIfMissing)) ?? [];
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

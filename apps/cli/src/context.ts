import { type ClientOptions, Counterfoil, type IgnoredFields } from '@counterfoil/sdk';
import { chooseConnection, chooseService, type ConnectionOptions } from './connection';
import type { Environment } from './environment';
import { type Login, LoginFile } from './login-file';
import { Output } from './output';
import { printable } from './printable';
import type { TextStream } from './text-stream';

/** The options that every command has. */
export interface GlobalOptions extends ConnectionOptions {
  readonly json?: boolean | undefined;
}

/** The world outside of the program. */
export interface Surroundings {
  readonly environment: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** Aborted by Ctrl-C and SIGTERM. Long work passes it on, or ends with it. */
  readonly signal: AbortSignal;
}

/** The output, the login and the client of a command. Options are read when they are needed, after the arguments are parsed. */
export class Context {
  readonly output: Output;
  readonly logins: LoginFile;
  readonly signal: AbortSignal;

  constructor(
    readonly surroundings: Surroundings,
    readonly options: () => GlobalOptions,
  ) {
    const { stdout, stderr, environment, signal } = surroundings;
    this.output = new Output(stdout, stderr, () => options().json === true);
    this.logins = new LoginFile(environment.configFolder);
    this.signal = signal;
  }

  /** The service of this command, which need not be logged in to. */
  service(): Promise<string> {
    return chooseService(this.options(), this.surroundings.environment, this.logins);
  }

  /** The service and the key of this command. */
  connection(): Promise<Login> {
    return chooseConnection(this.options(), this.surroundings.environment, this.logins);
  }

  /** A client of that service. Pass `signal` to calls that take long. */
  async client(more: Omit<ClientOptions, 'apiKey' | 'baseUrl'> = {}): Promise<Counterfoil> {
    const { url, key } = await this.connection();
    const onIgnoredFields = ({ fields }: IgnoredFields) =>
      this.output.note(`warning: the service does not know ${fields.map(printable).join(', ')}`);
    return new Counterfoil({ ...more, baseUrl: url, apiKey: key, onIgnoredFields });
  }
}

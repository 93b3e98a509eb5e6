import type { Environment } from './environment';
import { CommandError, EXIT } from './failure';
import { DEFAULT_PROFILE, type Login, type LoginFile } from './login-file';

/** The options of every command that choose the service. */
export interface ConnectionOptions {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly profile?: string | undefined;
}

/**
 * Chooses the service and the key: options, then the environment, then the stored login, then the service of the same
 * clone. A named profile goes before the environment. A stored key is sent to its own service only.
 *
 * @throws CommandError if there is no service or no key
 */
export async function chooseConnection(
  { url, key, profile }: ConnectionOptions,
  environment: Environment,
  logins: LoginFile,
): Promise<Login> {
  const stored = await storedLogin(profile, logins);
  const given = profile === undefined ? environment : NOTHING;
  const service = serviceOf(url ?? given.url, stored, environment);
  const chosenKey = key ?? given.key ?? keyFor(service, stored, environment);
  if (chosenKey === undefined)
    throw notLoggedIn(`no key for ${service}: run counterfoil login --url ${service}`);
  return { url: service, key: chosenKey };
}

/** Chooses the service in the same way, for a request that needs no key. */
export async function chooseService(
  { url, profile }: ConnectionOptions,
  environment: Environment,
  logins: LoginFile,
): Promise<string> {
  const stored = await storedLogin(profile, logins);
  return serviceOf(url ?? (profile === undefined ? environment.url : undefined), stored, environment);
}

async function storedLogin(profile: string | undefined, logins: LoginFile): Promise<Login | undefined> {
  const stored = await logins.find(profile ?? DEFAULT_PROFILE);
  if (profile !== undefined && stored === undefined)
    throw notLoggedIn(`there is no login ${profile}: run counterfoil login --profile ${profile}`);
  return stored;
}

const NOTHING = { url: undefined, key: undefined };

const notLoggedIn = (message: string) => new CommandError(EXIT.notLoggedIn, message);

function serviceOf(named: string | undefined, stored: Login | undefined, { localUrl }: Environment): string {
  if (named !== undefined) return validUrl(named);
  const known = stored?.url ?? localUrl;
  if (known === undefined) throw notLoggedIn('not logged in: run counterfoil login');
  return known;
}

function keyFor(url: string, stored: Login | undefined, environment: Environment): string | undefined {
  if (stored?.url === url) return stored.key;
  return environment.localUrl === url ? environment.localKey : undefined;
}

/** Parses an http or https address. Null if the text is none. */
export function webUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** @returns the address without an ending slash, so that addresses can be compared */
export function validUrl(text: string): string {
  const url = webUrl(text);
  if (url && !url.username && !url.search && !url.hash)
    return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
  throw new CommandError(
    EXIT.usage,
    `${text} is not the address of a service, such as https://books.example.com`,
  );
}

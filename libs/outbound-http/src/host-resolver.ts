import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** Returns the addresses of a host name. Throws if there are none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

export interface HostResolverOptions {
  readonly hostsFile?: string;
  /** Name servers as `address:port`. Default: those of the system. */
  readonly servers?: readonly string[];
  /** Time limit of one query. It is sent twice, and the second try waits longer. */
  readonly queryTimeoutMs?: number;
}

/** Both tries fit into the two seconds that a look-up may take. */
const QUERY_TIMEOUT_MS = 600;
const QUERY_TRIES = 2;

/**
 * Resolves names like the system, the hosts file first, but queries the name servers from the event loop. The
 * look-up of the system runs in the thread pool of libuv, two at a time by default, so two customers with
 * name servers that do not answer would delay the deliveries of all others. Only names without a dot use it,
 * because no name server of a customer answers for them.
 */
export function hostResolver(options: HostResolverOptions = {}): ResolveHost {
  const { hostsFile = '/etc/hosts' } = options;
  return async (name) => {
    const listed = await addressesInFile(hostsFile, name.toLowerCase());
    if (listed.length > 0) return listed;
    return name.includes('.') ? askNameServers(name, options) : askSystem(name);
  };
}

async function addressesInFile(file: string, name: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // A machine without the file has no such names. Any other error, such as EMFILE, is not that of the host.
    if (error.code === 'ENOENT' || error.code === 'EACCES') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return address && names.includes(name) ? [address] : [];
  });
}

async function askSystem(name: string): Promise<string[]> {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
}

async function askNameServers(name: string, options: HostResolverOptions): Promise<string[]> {
  // Created for each look-up, so that a change of the system's name servers takes effect.
  const resolver = new Resolver({ timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (options.servers) resolver.setServers(options.servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error(`no address for ${name}`);
  return addresses;
}

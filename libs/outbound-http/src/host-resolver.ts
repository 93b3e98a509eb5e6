import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** The addresses of a host name. Throws when there is none. */
export type ResolveHost = (name: string) => Promise<readonly string[]>;

export interface HostResolverOptions {
  readonly hostsFile?: string;
  /** Name servers instead of the system's, as `address:port`. */
  readonly servers?: readonly string[];
  /** For one query; it is sent twice, and the second waits longer. */
  readonly queryTimeoutMs?: number;
}

/** Both tries fit into the two seconds that a name may take. */
const QUERY_TIMEOUT_MS = 600;
const QUERY_TRIES = 2;

/**
 * Resolves as the system does, the hosts file first, but asks the name servers from the event loop. The
 * system's own look-up runs in libuv's thread pool, two at a time by default: two customers whose name servers
 * hang would delay the deliveries to everybody else. Only names without a dot still go there, which no
 * customer's name server answers for.
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
  // A machine without the file has no such names.
  const text = await readFile(file, 'utf8').catch(() => '');
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
  // Made anew each time, so that a change of the system's name servers is seen.
  const resolver = new Resolver({ timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (options.servers) resolver.setServers(options.servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error(`no address for ${name}`);
  return addresses;
}

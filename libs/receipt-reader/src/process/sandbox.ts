import fs from 'node:fs';
import path from 'node:path';

/** How a reader's process is kept apart from the rest of the machine, strongest first. */
export type SandboxKind = 'namespaces' | 'bwrap' | 'user' | 'none';

/** Wraps the command of a reader's process in one that drops rights first. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /**
   * The maximum of rights of the process: in a file system of its own it sees these folders and files, read-only,
   * beside the system's programs and libraries.
   */
  wrap(command: readonly string[], readable: readonly string[]): string[];
}

/** `nobody`: owns no file, and has no process but the readers. */
const NOBODY = '65534';
/** The space in which libvips keeps images that are too large for memory. */
const TEMPORARY_BYTES_MAX = 512 * 1024 * 1024;
/** Programs and libraries, what finds the libraries, fonts for rendering PDFs, and the number of cores. */
const SYSTEM = ['/usr', '/lib', '/lib32', '/lib64', '/bin', '/sbin', '/nix/store'];
const SETTINGS = ['/etc/ld.so.cache', '/etc/fonts', '/sys/devices/system/cpu'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom'];
/** Where the new root is put together, in a name space of mounts that nobody else sees. */
const MOUNT_POINTS = ['/mnt', '/media', '/srv', '/opt', '/tmp', '/home'];

/** No rights beyond those of the user. */
const WITHOUT_RIGHTS = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...WITHOUT_RIGHTS];

/**
 * Builds a root with only the named folders and files, and runs the command in it. This shell stays as the first
 * process of the name space. When it ends, all others in it end.
 */
const BUILD_ROOT = `
set -e
new=$1; size=$2; shift 2
mount -t tmpfs -o mode=755,nosuid,nodev,size=1m none "$new"
cd "$new"
mkdir -p proc tmp .old
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec,size="$size" none tmp
place() { if [ -d "$1" ]; then mkdir -p ".$1"; else mkdir -p ".\${1%/*}"; : > ".$1"; fi; }
while [ "$1" != -- ]; do
  case $1 in
    link:*) path=\${1#link:}; ln -s "$(readlink "$path")" ".$path" ;;
    device:*) path=\${1#device:}; place "$path"; mount --bind "$path" ".$path" ;;
    *) place "$1"; mount -o bind,ro,nosuid,nodev "$1" ".$1" ;;
  esac
  shift
done
shift
mount -t proc -o nosuid,nodev,noexec none proc
mount -o bind,ro,nosuid,nodev,noexec proc/sys proc/sys
pivot_root . .old
cd /
umount -l .old
rmdir .old
mount -o remount,bind,ro,nosuid,nodev /
"$@"
exit $?
`;

/** Nothing is taken away but the environment. */
export const NO_SANDBOX: Sandbox = { kind: 'none', wrap: (command) => [...command] };

/**
 * All sandboxes that may work here, the best first. Root really becomes another user: root outside of a name space of
 * users may change the kernel's settings from inside of it, even without its rights.
 */
export function sandboxes(isRoot: boolean): Sandbox[] {
  if (process.platform !== 'linux') return [];
  return isRoot ? [namespacesOfRoot, anotherUser] : [bubblewrap, namespacesOfUser];
}

const OWN_NAMESPACES = ['--mount', '--pid', '--fork', '--net', '--ipc', '--uts', '--kill-child'];

const namespacesOfRoot: Sandbox = {
  kind: 'namespaces',
  wrap: (command, readable) => [
    ...['unshare', ...OWN_NAMESPACES, '--', ...buildRoot(readable)],
    ...['setpriv', ...AS_NOBODY, '--', ...command],
  ],
};

/** The second name space of users takes away the rights that the first one gave to mount. */
const namespacesOfUser: Sandbox = {
  kind: 'namespaces',
  wrap: (command, readable) => [
    ...['unshare', '--user', '--map-root-user', ...OWN_NAMESPACES, '--', ...buildRoot(readable)],
    ...['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
    ...['setpriv', ...WITHOUT_RIGHTS, '--', ...command],
  ],
};

const bubblewrap: Sandbox = {
  kind: 'bwrap',
  wrap: (command, readable) => [
    ...['bwrap', '--unshare-all', '--unshare-user', '--uid', NOBODY, '--gid', NOBODY],
    ...['--die-with-parent', '--proc', '/proc', '--dev', '/dev'],
    ...['--size', `${TEMPORARY_BYTES_MAX}`, '--tmpfs', '/tmp'],
    ...visible(readable).flatMap((entry) =>
      isLink(entry) ? ['--symlink', fs.readlinkSync(entry), entry] : ['--ro-bind', entry, entry],
    ),
    ...['--remount-ro', '/', '--chdir', '/', '--', ...command],
  ],
};

/** Where root may make no name spaces, as in most containers. */
const anotherUser: Sandbox = {
  kind: 'user',
  wrap: (command) => ['setpriv', ...AS_NOBODY, '--', ...command],
};

function buildRoot(readable: readonly string[]): string[] {
  const entries = visible(readable);
  const within = (folder: string) => entries.some((entry) => `${entry}/`.startsWith(`${folder}/`));
  const mountPoint = MOUNT_POINTS.find((folder) => fs.existsSync(folder) && !within(folder)) ?? '/mnt';
  return [
    ...['sh', '-c', BUILD_ROOT, 'sh', mountPoint, `${TEMPORARY_BYTES_MAX}`],
    ...DEVICES.map((device) => `device:${device}`),
    ...entries.map((entry) => (isLink(entry) ? `link:${entry}` : entry)),
    '--',
  ];
}

/** The entries to mount, without those inside a folder that is mounted already. */
function visible(readable: readonly string[]): string[] {
  const wanted = [...SYSTEM, ...SETTINGS, ...readable.map((entry) => path.resolve(entry))];
  const there = [...new Set(wanted)].filter((entry) => fs.existsSync(entry));
  const isWithin = (entry: string, folder: string) => entry !== folder && entry.startsWith(`${folder}/`);
  return there.filter((entry) => !there.some((folder) => !isLink(folder) && isWithin(entry, folder)));
}

/** If programs and libraries are in /usr, as on most systems, the folders beside it are links. */
function isLink(entry: string): boolean {
  return SYSTEM.includes(entry) && fs.lstatSync(entry).isSymbolicLink();
}

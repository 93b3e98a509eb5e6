import fs from 'node:fs';
import path from 'node:path';

/** How a reader process is isolated from the rest of the machine, strongest first. */
export type SandboxKind = 'namespaces' | 'bwrap' | 'user' | 'none';

/** Wraps the command of a reader process in a command that drops privileges first. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /**
   * Returns the wrapped command. In a sandbox with its own file system, the process can read only these
   * directories and files, besides the programs and libraries of the system.
   */
  wrap(command: readonly string[], readable: readonly string[]): string[];
}

/** `nobody`: owns no files and no other processes. */
const NOBODY = '65534';
/** Size of the temporary file system, in which libvips stores images that are too large for memory. */
const TEMPORARY_BYTES_MAX = 512 * 1024 * 1024;
/**
 * Programs and libraries. SETTINGS adds the library cache, the fonts for rendering PDFs and the number of
 * cores.
 */
const SYSTEM = ['/usr', '/lib', '/lib32', '/lib64', '/bin', '/sbin', '/nix/store'];
const SETTINGS = ['/etc/ld.so.cache', '/etc/fonts', '/sys/devices/system/cpu'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom'];
/** Mount points on which the new root is built, in a private mount namespace. */
const MOUNT_POINTS = ['/mnt', '/media', '/srv', '/opt', '/tmp', '/home'];

/** No privileges beyond those of the user. */
const WITHOUT_RIGHTS = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...WITHOUT_RIGHTS];

/**
 * Builds a root file system with only the given directories and files, and runs the command in it. This shell
 * remains the first process of the PID namespace. When it ends, the kernel ends all others in it.
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

/** Only the environment is removed. */
export const NO_SANDBOX: Sandbox = { kind: 'none', wrap: (command) => [...command] };

/**
 * Returns all sandboxes that may work here, the strongest first. Root always changes to another user: root
 * outside of a user namespace could change kernel settings even without capabilities.
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

/** The second user namespace drops the mount privilege that the first one granted. */
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

/** For root without the right to create namespaces, as in most containers. */
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

/** Returns the entries to mount, without those inside a directory that is mounted already. */
function visible(readable: readonly string[]): string[] {
  const wanted = [...SYSTEM, ...SETTINGS, ...readable.map((entry) => path.resolve(entry))];
  const there = [...new Set(wanted)].filter((entry) => fs.existsSync(entry));
  const isWithin = (entry: string, folder: string) => entry !== folder && entry.startsWith(`${folder}/`);
  return there.filter((entry) => !there.some((folder) => !isLink(folder) && isWithin(entry, folder)));
}

/** On most systems /lib, /bin and /sbin are symbolic links into /usr. */
function isLink(entry: string): boolean {
  return SYSTEM.includes(entry) && fs.lstatSync(entry).isSymbolicLink();
}

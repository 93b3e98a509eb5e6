// Lists the sockets, servers, processes and timers that a Jest run in one process leaves open, and ends the run, which
// would otherwise hang until the time limit of CI without naming the handle. The grace period includes globalTeardown.
const GRACE_MS = 20_000;

module.exports = class LeftoversReporter {
  /** The test file after which each handle was first seen. */
  #seen = new WeakMap();

  onTestFileResult(test) {
    for (const handle of openHandles()) if (!this.#seen.has(handle)) this.#seen.set(handle, test.path);
  }

  onRunComplete(_contexts, results) {
    // Unreferenced, so that a run without open handles exits earlier.
    setTimeout(() => this.#end(results), GRACE_MS).unref();
  }

  #end(results) {
    const resources = process.getActiveResourcesInfo().join(', ');
    console.error(`\nThe tests left open, after ${GRACE_MS / 1000} s: ${resources}`);
    for (const handle of openHandles()) {
      console.error(
        `- ${describe(handle)}, first seen after ${this.#seen.get(handle) ?? 'the last test file'}`,
      );
    }
    // Jest sets the exit code of a failed run in its own 'exit' handler, which would run too late.
    process.exit(results.success ? undefined : 1);
  }
};

/** Internal to Node: the public API names only the kinds of resources. */
function openHandles() {
  return process._getActiveHandles().filter((handle) => !handle.isTTY && !(handle.fd >= 0 && handle.fd <= 2));
}

function describe(handle) {
  const kind = handle.constructor?.name ?? 'handle';
  if (handle.spawnargs) return `${kind} ${handle.pid}: ${handle.spawnargs.join(' ')}`;
  if (handle.remoteAddress)
    return `${kind} ${handle.localPort} -> ${handle.remoteAddress}:${handle.remotePort}`;
  if (typeof handle.address === 'function') return `${kind} ${JSON.stringify(handle.address())}`;
  return kind;
}

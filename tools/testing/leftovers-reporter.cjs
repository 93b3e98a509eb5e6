// Names the sockets, servers, processes and timers that a Jest run in one process leaves open, and ends the run:
// a handle that a test forgot would otherwise keep CI until its time limit, and nobody would learn which it was.
// Jest's globalTeardown is within it.
const GRACE_MS = 20_000;

module.exports = class LeftoversReporter {
  /** The test file after which each handle was first seen. */
  #seen = new WeakMap();

  onTestFileResult(test) {
    for (const handle of openHandles()) if (!this.#seen.has(handle)) this.#seen.set(handle, test.path);
  }

  onRunComplete(_contexts, results) {
    // The timer itself keeps nothing open: a run that left nothing ends before it.
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
    // Jest sets the code of a run that failed in its own handler of 'exit'.
    process.exit(results.success ? undefined : 1);
  }
};

/** Node's own list; it has no public one that gives more than the kinds. */
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

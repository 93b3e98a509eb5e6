// The child's side of `SideProcess`: answers its calls, and ends with the parent.

/**
 * @param {Record<string, (...args: any[]) => unknown>} methods the callable functions; arguments and results
 *   are sent as JSON
 * @param {() => unknown} abandoned cleans up what must not outlive this process
 */
export function answerCalls(methods, abandoned = () => {}) {
  process.on('message', async ({ id, method, args }) => {
    const answer = await Promise.resolve()
      .then(() => methods[method](...args))
      .then(
        (result) => ({ id, result }),
        (error) => ({ id, fault: error.message }),
      );
    // The parent may have ended meanwhile.
    if (process.connected) process.send(answer);
  });
  process.once('disconnect', async () => {
    await abandoned();
    process.exit(0);
  });
}

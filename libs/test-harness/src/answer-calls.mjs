// The far side of a side process: answers the calls that `SideProcess` sends, and ends with who started it.

/**
 * @param {Record<string, (...args: any[]) => unknown>} methods what may be called; arguments and results go as JSON
 * @param {() => unknown} abandoned puts away what must not outlive this process
 */
export function answerCalls(methods, abandoned = () => {}) {
  process.on('message', async ({ id, method, args }) => {
    const answer = await Promise.resolve()
      .then(() => methods[method](...args))
      .then(
        (result) => ({ id, result }),
        (error) => ({ id, fault: error.message }),
      );
    // Whoever asked may have gone meanwhile.
    if (process.connected) process.send(answer);
  });
  process.once('disconnect', async () => {
    await abandoned();
    process.exit(0);
  });
}

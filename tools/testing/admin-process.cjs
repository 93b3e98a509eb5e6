// Runs admin commands for tests, with the compiled code of the admin tool. A process for each command takes more than a
// second of processor time to load. This one ends with its parent.
const { requireBuilt, serveCalls } = require('./call-server.cjs');

/** The code is loaded with the first command, because many runs call none. */
async function runCommand({ env, args }) {
  const { loadConfig } = requireBuilt('libs/config/src/index.js');
  const { readCommandLine, runCommand } = requireBuilt('apps/admin/src/command-line.js');
  const line = readCommandLine(args);
  if (!('command' in line)) throw new Error(`there is no command ${line.unknown}`);
  await runCommand(line, loadConfig({ ...process.env, ...env }));
}

/** Collects what is written to a stream of this process. */
function capture(stream) {
  const { write } = stream;
  const written = [];
  stream.write = (text) => written.push(text.toString());
  return () => {
    stream.write = write;
    return written.join('');
  };
}

/** The outcome that a process of its own would have. */
async function outcomeOf(call) {
  const [output, errors] = [capture(process.stdout), capture(process.stderr)];
  try {
    await runCommand(call);
    return { code: 0, output: output(), errors: errors() };
  } catch (error) {
    const { faultLines } = requireBuilt('libs/lifecycle/src/index.js');
    return { code: 1, output: output(), errors: `${errors()}${faultLines(error).join('\n')}\n` };
  }
}

/** One command at a time, because the output of this process is that of the command. */
let last = Promise.resolve();
function inTurn(work) {
  const outcome = last.then(work);
  last = outcome.catch(() => undefined);
  return outcome;
}

serveCalls((call) => inTurn(() => outcomeOf(call)));

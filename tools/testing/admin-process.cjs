// Runs admin commands for tests, with the compiled code of the admin tool. A process for each command takes more than a
// second of processor time to load. This one ends with its parent.
const http = require('node:http');
const { createRequire } = require('node:module');
const path = require('node:path');

const DIST = path.resolve(__dirname, '../../dist');

/** Loaded with the first command, because the build may follow the start, and many runs call none. */
async function runCommand({ env, args }) {
  // As the programs in dist do: the copies of packages there are others than those in node_modules.
  createRequire(path.join(DIST, 'apps/admin/src/main.js'))('reflect-metadata');
  const { loadConfig } = require(path.join(DIST, 'libs/config/src/index.js'));
  const { readCommandLine, runCommand } = require(path.join(DIST, 'apps/admin/src/command-line.js'));
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
    const { faultLines } = require(path.join(DIST, 'libs/lifecycle/src/index.js'));
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

async function answer(request, response) {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = JSON.parse(Buffer.concat(chunks).toString());
    response.end(JSON.stringify(await inTurn(() => outcomeOf(call))));
  } catch (error) {
    response.writeHead(500).end(error.stack);
  }
}

const server = http.createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.once('disconnect', () => process.exit(0));

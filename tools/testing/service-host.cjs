// Runs APIs or workers for tests, with their compiled code: `node service-host.cjs api`. A process for each takes a second
// of processor time to load the code, and runs most of it before V8 has optimized it. This one ends with its parent.
const http = require('node:http');
const { createRequire } = require('node:module');
const path = require('node:path');

const DIST = path.resolve(__dirname, '../../dist');
const START = { api: 'startApi', worker: 'startWorker' };
const [app, port] = process.argv.slice(2);
/** The limit of a process for its stop (contract §17.6). */
const STOP_LIMIT_MS = 10_000;

/** Loaded with the first program, because the build may follow the start. */
function load() {
  // As the programs in dist do: the copies of packages there are others than those in node_modules.
  createRequire(path.join(DIST, `apps/${app}/src/main.js`))('reflect-metadata');
  const { loadConfig } = require(path.join(DIST, 'libs/config/src/index.js'));
  const { [START[app]]: start } = require(path.join(DIST, `apps/${app}/src/start-${app}.js`));
  return { loadConfig, start };
}

/** The programs that run, by their numbers. */
const programs = new Map();
let lastNumber = 0;

/** @param {{ env: Record<string, string>, file: string }} call `file` is the test file that starts it */
async function start({ env, file }) {
  // A file that was stopped by a time limit may have left its programs running.
  const left = [...programs].filter(([, program]) => program.file !== file);
  await Promise.all(left.map(([number]) => stop(number)));
  const { loadConfig, start } = load();
  const { close } = await start(loadConfig({ ...process.env, ...env }));
  programs.set(++lastNumber, { file, close });
  return lastNumber;
}

async function stop(number) {
  const program = programs.get(number);
  // A test may have stopped it before its service.
  if (!program) return;
  const late = setTimeout(() => {
    throw new Error(`the ${app} did not stop within ${STOP_LIMIT_MS} ms`);
  }, STOP_LIMIT_MS);
  await program.close();
  clearTimeout(late);
  programs.delete(number);
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** `POST /start` answers with the number of the program, and `POST /stop` ends the one of a number. */
async function answer(request, response) {
  try {
    const act = request.url === '/start' ? start : stop;
    response.end(JSON.stringify((await act(await bodyOf(request))) ?? null));
  } catch (error) {
    // Something of the program may still run. The next host begins without it.
    response.writeHead(500).end(error.stack, () => process.exit(1));
  }
}

const server = http.createServer((request, response) => void answer(request, response));
server.listen(Number(port), '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.once('disconnect', () => process.exit(0));

// Runs APIs or workers for tests, with their compiled code: `node service-host.cjs api`. A process for each takes a second
// of processor time to load the code, and runs most of it before V8 has optimized it. This one ends with its parent.
const { requireBuilt, serveCalls } = require('./call-server.cjs');

const START = { api: 'startApi', worker: 'startWorker' };
const [app, port] = process.argv.slice(2);
/** The limit of a process for its stop (contract §17.6). */
const STOP_LIMIT_MS = 10_000;

/** The programs that run, by their numbers. */
const programs = new Map();
let lastNumber = 0;

/** @param {{ env: Record<string, string>, file: string }} call `file` is the test file that starts it */
async function start({ env, file }) {
  // A file that was stopped by a time limit may have left its programs running.
  const left = [...programs].filter(([, program]) => program.file !== file);
  await Promise.all(left.map(([number]) => stop(number)));
  const { loadConfig } = requireBuilt('libs/config/src/index.js');
  const { [START[app]]: startProgram } = requireBuilt(`apps/${app}/src/start-${app}.js`);
  const { close } = await startProgram(loadConfig({ ...process.env, ...env }));
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

// `POST /start` answers with the number of the program, and `POST /stop` ends the one of a number. After a failure,
// something of the program may still run. The next host begins without it.
serveCalls((call, path) => (path === '/start' ? start(call) : stop(call)), {
  port: Number(port),
  failed: () => process.exit(1),
});

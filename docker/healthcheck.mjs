// Checks the readiness of the process that this container runs, the API or the worker. Each serves the probe on its own
// port, so only one of the two answers in a container.
const LIMIT_MS = 4000;

const questions = [
  `http://127.0.0.1:${process.env.PORT || 3000}/health/ready`,
  `http://127.0.0.1:${process.env.WORKER_METRICS_PORT || 9465}/health/ready`,
];

async function ask(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) }).catch((error) => {
    throw new Error(`${url}: ${error.cause?.message ?? error.message}`);
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
}

try {
  await Promise.any(questions.map(ask));
  process.exit(0);
} catch (error) {
  console.error(error.errors.map((cause) => cause.message).join('; '));
  process.exit(1);
}

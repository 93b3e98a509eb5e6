// The health of whichever process this container runs: the API says whether it is ready; the worker has no HTTP
// of its own, but serves its metrics as long as it lives. Only one of the two answers in one container.
const LIMIT_MS = 4000;

const questions = [
  `http://127.0.0.1:${process.env.PORT || 3000}/health/ready`,
  `http://127.0.0.1:${process.env.WORKER_METRICS_PORT || 9465}/metrics`,
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

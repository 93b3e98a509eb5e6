import { parentPort, workerData } from 'node:worker_threads';
import { stringify } from 'yaml';

// Runs in a thread of the API, and answers its data as YAML. It writes what occurs twice twice, which readers of
// OpenAPI expect.
parentPort?.postMessage(stringify(workerData, { aliasDuplicateObjects: false }));

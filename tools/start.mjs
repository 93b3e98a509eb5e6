// `npm start`: installs, builds and runs the service from a fresh clone. Ctrl-C stops all of it.
import { runService } from './lib/service.mjs';

await runService();

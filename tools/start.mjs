// `npm start`: everything from a fresh clone to a running service, and all of it ended again by Ctrl-C.
import { runService } from './lib/service.mjs';

await runService();

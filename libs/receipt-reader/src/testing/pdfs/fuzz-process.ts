import { type FuzzInput, runFuzz } from './fuzz-run';

// Entry point of a process that reads the documents, because sharp has native parts, which do not run inside Jest.
// Its last line of output is the report.

void runFuzz(JSON.parse(process.argv[2] ?? '{}') as FuzzInput).then((report) => {
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
});

// Adds the beginning of one Jest run, then its count and the names of its failures, to the file named by TEST_TALLY, a
// line each, for `npm test` to sum up. A run that was killed has begun and has no count.
const fs = require('node:fs');
const path = require('node:path');
const { stripVTControlCharacters } = require('node:util');

/** Of a failure's message: enough to know it by; the whole of it stands where it was printed. */
const MESSAGE_LINES = 12;

module.exports = class TallyReporter {
  onRunStart() {
    add({ begun: 1 });
  }

  onRunComplete(_contexts, results) {
    const {
      numPassedTests: passed,
      numFailedTests,
      numRuntimeErrorTestSuites,
      numPendingTests: skipped,
    } = results;
    add({
      ended: 1,
      passed,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped,
      failures: results.testResults.flatMap(failuresOf),
    });
  }
};

function add(line) {
  const file = process.env.TEST_TALLY;
  if (file) fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** The tests of one file that failed, or the file itself where it did not load. */
function failuresOf(suite) {
  const file = path.relative(process.cwd(), suite.testFilePath);
  if (suite.testExecError) return [failure(file, 'did not load', suite.failureMessage)];
  return suite.testResults
    .filter((test) => test.status === 'failed')
    .map((test) => failure(file, test.fullName, test.failureMessages.join('\n')));
}

function failure(file, name, message) {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  return { file, name, message: lines.slice(0, MESSAGE_LINES).join('\n') };
}

// Appends a line for the start of a Jest run, and one for its counts and failures, to the file named by TEST_TALLY, which
// `npm test` sums up. A killed run has no second line.
const fs = require('node:fs');
const path = require('node:path');
const { stripVTControlCharacters } = require('node:util');

/** The summary repeats only the beginning of a failure's message. */
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

/** The failed tests of a file, or the file itself if it did not load. */
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

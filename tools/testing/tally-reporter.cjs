// Adds what one Jest run counted to the file named by TEST_TALLY, a line a run, for `npm test` to sum up.
const fs = require('node:fs');

module.exports = class TallyReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.TEST_TALLY;
    if (!file) return;
    const {
      numPassedTests: passed,
      numFailedTests,
      numRuntimeErrorTestSuites,
      numPendingTests: skipped,
    } = results;
    fs.appendFileSync(
      file,
      `${JSON.stringify({ passed, failed: numFailedTests + numRuntimeErrorTestSuites, skipped })}\n`,
    );
  }
};

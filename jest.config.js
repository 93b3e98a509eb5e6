// All projects in one Jest process, for the kind of test that TEST_KIND names. `npm test` and `npm run unit` use it.
module.exports = require('./jest.preset.js').workspace();

const path = require('node:path');

module.exports = {
  ...require('../../jest.preset.js').project(__dirname),
  // The training is no part of the lib, and nothing else runs its tests.
  roots: [__dirname, path.join(__dirname, '../../tools/reader-training')],
};

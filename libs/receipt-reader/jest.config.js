const path = require('node:path');

module.exports = {
  ...require('../../jest.preset.js').project(__dirname),
  // The training code lives outside this lib, but no other project runs its tests.
  roots: [__dirname, path.join(__dirname, '../../tools/reader-training')],
};

// Preloaded into a program: at its end, prints which of its own modules Node has loaded from their files. Those that were
// joined have no paths, because Node does not look for what they require.
const path = require('node:path');

const OWN = ['apps', 'libs'].map((folder) => path.resolve(__dirname, '../../../dist', folder));

process.on('exit', () => {
  const loaded = Object.values(require.cache).filter(({ paths }) => paths?.length > 0);
  const own = loaded
    .map(({ filename }) => filename)
    .filter((file) => OWN.some((folder) => file.startsWith(folder)));
  process.stdout.write(JSON.stringify(own));
});

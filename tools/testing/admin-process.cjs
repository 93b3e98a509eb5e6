// Creates companies for tests, with the compiled code of the admin command `company:create`. A process for each company
// takes some two seconds of processor time to load. This one ends with its parent.
const http = require('node:http');
const path = require('node:path');

const DIST = path.resolve(__dirname, '../../dist');

/** Loaded with the first company, because the build may follow the start, and many runs create none. */
function createCompany({ env, name }) {
  const { loadConfig } = require(path.join(DIST, 'libs/config/src/index.js'));
  const { companyCreate } = require(path.join(DIST, 'apps/admin/src/commands/company-create.js'));
  return companyCreate.run(loadConfig({ ...process.env, ...env }), { name });
}

async function answer(request, response) {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const created = await createCompany(JSON.parse(Buffer.concat(chunks).toString()));
    response.end(JSON.stringify(created));
  } catch (error) {
    response.writeHead(500).end(error.stack);
  }
}

const server = http.createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.once('disconnect', () => process.exit(0));

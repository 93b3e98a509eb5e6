import fs from 'node:fs';
import path from 'node:path';
import { committedOpenApi } from './committed-openapi';

const FILE = path.resolve(__dirname, '../../../../docs/openapi.json');

describe('docs/openapi.json', () => {
  it('equals the description that the API serves; npm run openapi updates it', async () => {
    const [committed, served] = [fs.readFileSync(FILE, 'utf8'), await committedOpenApi()];
    // Compare the objects first, because a diff of two texts of a megabyte is unreadable.
    expect(JSON.parse(committed)).toEqual(JSON.parse(served));
    expect(committed === served).toBe(true);
  });
});

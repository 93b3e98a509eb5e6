import fs from 'node:fs';
import path from 'node:path';
import { committedOpenApi } from './committed-openapi';

const FILE = path.resolve(__dirname, '../../../../docs/openapi.json');

describe('docs/openapi.json', () => {
  it('is what the API serves; npm run openapi writes it anew', async () => {
    const [committed, served] = [fs.readFileSync(FILE, 'utf8'), await committedOpenApi()];
    // Objects first: their difference can be read, that of two texts of a megabyte cannot.
    expect(JSON.parse(committed)).toEqual(JSON.parse(served));
    expect(committed === served).toBe(true);
  });
});

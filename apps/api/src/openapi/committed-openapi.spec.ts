import fs from 'node:fs';
import path from 'node:path';
import { committedOpenApi } from './committed-openapi';
import { COMMITTED_URL } from './serve-openapi';

const FILE = path.resolve(__dirname, '../../../../docs/openapi.json');
const committed = fs.readFileSync(FILE, 'utf8');

describe('docs/openapi.json', () => {
  it('equals the description of the controllers; npm run openapi updates it', async () => {
    const described = await committedOpenApi();
    // Compare the objects first, because a diff of two texts of a megabyte is unreadable.
    expect(JSON.parse(committed)).toEqual(JSON.parse(described));
    expect(committed === described).toBe(true);
  });

  it('differs from that of another installation in its URL only', async () => {
    const url = 'https://api.example.com/back-office';
    const described = await committedOpenApi({ PUBLIC_URL: url });
    // The recorded examples have the default URL.
    const asServed = (text: string) => text.replaceAll(COMMITTED_URL, url);
    expect(asServed(described) === asServed(committed)).toBe(true);
    expect(JSON.parse(asServed(committed))).toMatchObject({ servers: [{ url }] });
  });
});

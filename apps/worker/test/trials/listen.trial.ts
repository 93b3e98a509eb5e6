import { runListen } from './listen-run';

const EVENTS = 1_000;
const CUTS = 20;

describe('counterfoil listen', () => {
  it(`forwards ${EVENTS} events unaltered, although its connection is cut ${CUTS} times`, async () => {
    const report = await runListen(EVENTS, CUTS);
    console.log(report);
    expect(report).toMatchObject({ cuts: CUTS, lost: [], altered: [], unknown: [] });
    expect(report.sent).toBeGreaterThanOrEqual(EVENTS);
    // An event comes again only if the connection broke while it was being forwarded.
    expect(report.repeated).toBeLessThanOrEqual(CUTS);
  });
});

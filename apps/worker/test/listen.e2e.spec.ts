import { runListen } from './trials/listen-run';

const EVENTS = 60;
const CUTS = 3;

describe('counterfoil listen', () => {
  it('forwards every event unaltered to a receiver on plain http, although its connection is cut', async () => {
    const report = await runListen(EVENTS, CUTS);
    expect(report).toMatchObject({ cuts: CUTS, lost: [], altered: [], unknown: [] });
    expect(report.sent).toBeGreaterThanOrEqual(EVENTS);
    expect(report.repeated).toBeLessThanOrEqual(CUTS);
  });
});

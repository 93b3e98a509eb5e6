import { guard, leaveBy } from '../src/parts/unsaved.ts';

it('asks the form that has changes before the page ends, and nobody otherwise', () => {
  const acts: string[] = [];
  let agreed: (() => void) | undefined;
  const endFirst = guard({ isChanged: () => false, ask: () => acts.push('wrong') });
  const endSecond = guard({ isChanged: () => true, ask: (act) => (agreed = act) });
  leaveBy(() => acts.push('left'));
  expect(acts).toEqual([]);
  agreed?.();
  expect(acts).toEqual(['left']);
  endSecond();
  leaveBy(() => acts.push('left at once'));
  expect(acts).toEqual(['left', 'left at once']);
  endFirst();
});

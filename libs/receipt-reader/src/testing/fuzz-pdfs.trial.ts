import { Figures } from '@counterfoil/test-harness';
import { fuzz } from './pdfs/fuzz-in-process';

const MUTATED = 2_000;
const UNUSUAL_MIN = 500;
/** The limit of a reader process for images. */
const MEMORY_MAX_MIB = 1_024;

it('reads unusual PDFs, and survives damaged ones', async () => {
  const figures = new Figures();
  const { unusual, wrong, mutated, outcomes, faults, peakMiB, slowest, seconds } = await fuzz({
    ...{ unusualStep: 1, mutated: MUTATED },
  });
  figures.heading(`${unusual} unusual and ${mutated} damaged PDFs, read in ${seconds} s`);
  figures.add('unusual PDFs', unusual, '', { atLeast: UNUSUAL_MIN });
  figures.add('unusual PDFs without the planted total', wrong.length, '', { atMost: 0 });
  figures.add('PDFs that ended a reader or made it fail', faults.length, '', { atMost: 0 });
  figures.add('the largest process of the reader', peakMiB, ' MiB', { atMost: MEMORY_MAX_MIB });
  figures.add('the slowest PDF', slowest.ms, ' ms');
  figures.note(slowest.name);
  for (const [outcome, count] of Object.entries(outcomes)) figures.add(`damaged: ${outcome}`, count);
  for (const line of [...wrong, ...faults]) figures.note(line);
  expect(figures.broken).toEqual([]);
}, 7_200_000);

import { fuzz } from './testing/pdfs/fuzz-in-process';

it('reads unusual PDFs, and survives damaged ones', async () => {
  // A part of the trial fuzz-pdfs.
  const { unusual, wrong, mutated, faults } = await fuzz({ unusualStep: 23, mutated: 60 });
  expect({ wrong, faults }).toEqual({ wrong: [], faults: [] });
  expect({ unusual, mutated }).toEqual({ unusual: 26, mutated: 60 });
}, 300_000);

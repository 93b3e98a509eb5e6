import { fuzz } from './testing/pdfs/fuzz-in-process';

it('reads unusual PDFs, and survives damaged ones', async () => {
  // A part of the trial fuzz-pdfs.
  const { unusual, wrong, mutated, faults } = await fuzz({ unusualStep: 59, mutated: 20 });
  expect({ wrong, faults }).toEqual({ wrong: [], faults: [] });
  expect({ unusual, mutated }).toEqual({ unusual: 10, mutated: 20 });
}, 300_000);

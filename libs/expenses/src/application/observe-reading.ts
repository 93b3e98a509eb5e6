import { receiptReadingSeconds } from './metrics';
import type { ReadingOutcome } from './ports/reading-outcome';
import { ReadingStalled } from './ports/receipt-reader';

/** Measures a reading, and also one that the reader did not finish. A claim that was given back is not measured. */
export async function observeReading<GivenBack extends string>(
  read: () => Promise<ReadingOutcome | GivenBack>,
): Promise<ReadingOutcome | GivenBack> {
  const observe = receiptReadingSeconds.startTimer();
  try {
    const outcome = await read();
    if (typeof outcome !== 'string')
      observe({ outcome: 'reading' in outcome ? outcome.reading.source : outcome.failure.code });
    return outcome;
  } catch (error) {
    if (error instanceof ReadingStalled) observe({ outcome: 'UNAVAILABLE' });
    throw error;
  }
}

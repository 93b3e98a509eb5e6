// Measures the pauses of the machine, like jHiccup: this process only runs a timer of 5 ms, so if the timer
// is late, the processor was busy with something else. It has the niceness of the service, because the pauses
// depend on it.
import { setTimeout as sleep } from 'node:timers/promises';
import { answerCalls } from './answer-calls.mjs';

const EVERY_MS = 5;

/** The delays of each open window by its id, in ms. */
const windows = new Map();
let opened = 0;
let wokenAt = performance.now();

/**
 * A timer that is late by many intervals counts once for each of them, with the delay that it would have had.
 * Otherwise a long pause would be a single sample among hundreds, and p99 would not show it.
 */
function record(delays, delayMs) {
  delays.push(Math.max(0, delayMs));
  for (let ms = delayMs - EVERY_MS; ms > 0; ms -= EVERY_MS) delays.push(ms);
}

async function measure() {
  for (;;) {
    await sleep(EVERY_MS);
    const now = performance.now();
    const delayMs = now - wokenAt - EVERY_MS;
    for (const delays of windows.values()) record(delays, delayMs);
    wokenAt = now;
  }
}

function open() {
  const id = opened++;
  windows.set(id, []);
  return id;
}

function close(id) {
  const delays = windows.get(id);
  windows.delete(id);
  // The timer of a pause that has just ended may still be due.
  record(delays, performance.now() - wokenAt - EVERY_MS);
  delays.sort((one, other) => one - other);
  return { p99Ms: delays[Math.ceil(delays.length * 0.99) - 1], maxMs: delays.at(-1) };
}

void measure();
answerCalls({ open, close });

// The log of the embedded PostgreSQL, which tells why the server did not start or has ended.
import fs from 'node:fs';
import path from 'node:path';
import { saysNoSpace } from './fault.mjs';

/** A segment of PostgreSQL's write-ahead log and as much again. With less, the server may not start. */
const ROOM_BYTES = 32 * 1024 * 1024;
const BYTES_MAX = 10_000_000;
/** The entry with the reason of a failed start. The excluded ones reject early connections. */
const REASON = /(?:FATAL|PANIC): +(?! |the database system is)(.*)/;

/** Creates the log if it is missing, and replaces one that has grown too long. */
export function openLog(file) {
  if (sizeOf(file) > BYTES_MAX) fs.renameSync(file, `${file}.1`);
  fs.closeSync(fs.openSync(file, 'a', 0o600));
}

/** The entries since a moment. */
export class LogSection {
  #file;
  #start;

  constructor(file) {
    this.#file = file;
    this.#start = sizeOf(file);
  }

  get text() {
    return this.#read(this.#start);
  }

  /** The reason why the server did not start. */
  get reason() {
    const { text } = this;
    return REASON.exec(text)?.[1] ?? text.trim().split('\n').at(-1);
  }

  /**
   * Whether the server ran out of space: it says so, or the disk is full and the last entry is cut, because the log is on
   * that disk too.
   */
  lacksSpace() {
    return saysNoSpace(this.text) || (this.#isCut() && isDiskFull(this.#file));
  }

  /** The same for a server that was started. It logs at least that it starts, if there is space. */
  startLacksSpace() {
    return this.lacksSpace() || (this.text === '' && isDiskFull(this.#file));
  }

  /** Also if the entries before were cut: then nothing could be logged since. */
  #isCut() {
    const last = this.#read(Math.max(0, this.#start - 1));
    return last !== '' && !last.endsWith('\n');
  }

  #read(start) {
    const log = fs.readFileSync(this.#file);
    // The log has been replaced if it is shorter.
    return log.subarray(start > log.length ? 0 : start).toString('utf8');
  }
}

function isDiskFull(file) {
  const { bavail, bsize, ffree, files } = fs.statfsSync(path.dirname(file));
  return bavail * bsize < ROOM_BYTES || (files > 0 && ffree === 0);
}

const sizeOf = (file) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

import type { S3Limits } from './s3-limits';

/**
 * The time limit for one object, over all attempts. It ends when the store has taken nothing new for long. Repeated
 * bytes are nothing new, so that a store that hangs is waited for once. A slow line that moves has longer.
 */
export class UploadDeadline {
  private readonly up = new AbortController();
  private readonly last: NodeJS.Timeout;
  private silence: NodeJS.Timeout;
  private farthest = 0;

  constructor(private readonly limits: Pick<S3Limits, 'silenceMaxMs' | 'putMaxMs'>) {
    this.last = this.endAfter(limits.putMaxMs);
    this.silence = this.endAfter(limits.silenceMaxMs);
  }

  get signal(): AbortSignal {
    return this.up.signal;
  }

  /** @param position how many bytes of the object the store has taken, or is about to */
  reached(position: number): void {
    if (position <= this.farthest || this.signal.aborted) return;
    this.farthest = position;
    clearTimeout(this.silence);
    this.silence = this.endAfter(this.limits.silenceMaxMs);
  }

  /** To be called in any case. */
  end(): void {
    clearTimeout(this.last);
    clearTimeout(this.silence);
  }

  private endAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.up.abort(new Error('the store took nothing more in time')), ms);
  }
}

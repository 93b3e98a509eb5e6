import { FaultPoints } from '@counterfoil/kernel';

/** Ends the process with SIGKILL at the one point that `FAULT_POINT` names. */
export class ConfiguredFaultPoints extends FaultPoints {
  constructor(private readonly fatal: string | null) {
    super();
  }

  reach(point: string): void {
    if (point === this.fatal) process.kill(process.pid, 'SIGKILL');
  }
}

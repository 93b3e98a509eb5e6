import { type FaultPoint, FaultPoints } from '@counterfoil/kernel';

/** Ends the process with SIGKILL at the one point that `FAULT_POINT` names. */
export class ConfiguredFaultPoints extends FaultPoints {
  constructor(private readonly fatal: FaultPoint | null) {
    super();
  }

  reach(point: FaultPoint): void {
    if (point === this.fatal) process.kill(process.pid, 'SIGKILL');
  }
}

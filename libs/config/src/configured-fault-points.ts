import { type FaultPoint, FaultPoints } from '@counterfoil/kernel';

/** Kills the process with SIGKILL at the point that `FAULT_POINT` names. */
export class ConfiguredFaultPoints extends FaultPoints {
  constructor(private readonly fatal: FaultPoint | null) {
    super();
  }

  reach(point: FaultPoint): void {
    if (point === this.fatal) process.kill(process.pid, 'SIGKILL');
  }
}

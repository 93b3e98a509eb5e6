/** Where a crash test may end the process: before the transaction, between its statements, and after it. */
export const ISSUANCE_FAULT_POINTS = [
  'issuance.drafted',
  'issuance.begun',
  'issuance.opened',
  'settling.loaded',
  'issuance.planned',
  'issuance.written',
  'settling.saved',
  'issuance.settled',
  'issuance.told',
  'issuance.committed',
] as const;

export type IssuanceFaultPoint = (typeof ISSUANCE_FAULT_POINTS)[number];

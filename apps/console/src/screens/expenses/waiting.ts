import { readStored, writeStored } from '../../app/stored.ts';

/** A receipt that was uploaded from this browser and is not an expense yet. */
export interface WaitingReceipt {
  readonly fileId: number;
  readonly name: string;
}

const MOST = 50;
const key = (companyId: number) => `receipts-${companyId}`;

export function waitingReceipts(companyId: number): readonly WaitingReceipt[] {
  try {
    const stored = JSON.parse(readStored(key(companyId)) ?? '[]') as readonly WaitingReceipt[];
    return stored.filter(({ fileId, name }) => Number.isSafeInteger(fileId) && typeof name === 'string');
  } catch {
    return [];
  }
}

export function keepWaiting(companyId: number, receipt: WaitingReceipt): void {
  const others = waitingReceipts(companyId).filter(({ fileId }) => fileId !== receipt.fileId);
  writeStored(key(companyId), JSON.stringify([...others, receipt].slice(-MOST)));
}

export function endWaiting(companyId: number, fileId: number): void {
  const left = waitingReceipts(companyId).filter((one) => one.fileId !== fileId);
  writeStored(key(companyId), JSON.stringify(left));
}

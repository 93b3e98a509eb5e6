import { useMemo, useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../../app/stored.ts';

/** A receipt that was uploaded from this browser and is not an expense yet. */
export interface WaitingReceipt {
  readonly fileId: number;
  readonly name: string;
}

const MOST = 50;
const key = (companyId: number) => `receipts-${companyId}`;

const kept = (companyId: number): string => readStored(key(companyId)) ?? '[]';

function parsed(text: string): readonly WaitingReceipt[] {
  try {
    const stored = JSON.parse(text) as readonly WaitingReceipt[];
    return stored.filter(({ fileId, name }) => Number.isSafeInteger(fileId) && typeof name === 'string');
  } catch {
    return [];
  }
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // From other tabs.
  globalThis.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener('storage', listener);
  };
}

/** The receipts that wait, as they come and go. */
export function useWaitingReceipts(companyId: number): readonly WaitingReceipt[] {
  const text = useSyncExternalStore(subscribe, () => kept(companyId));
  return useMemo(() => parsed(text), [text]);
}

function change(companyId: number, fileId: number, added: readonly WaitingReceipt[]): void {
  const others = parsed(kept(companyId)).filter((one) => one.fileId !== fileId);
  writeStored(key(companyId), JSON.stringify([...others, ...added].slice(-MOST)));
  for (const listener of listeners) listener();
}

export const keepWaiting = (companyId: number, receipt: WaitingReceipt): void =>
  change(companyId, receipt.fileId, [receipt]);

export const endWaiting = (companyId: number, fileId: number): void => change(companyId, fileId, []);

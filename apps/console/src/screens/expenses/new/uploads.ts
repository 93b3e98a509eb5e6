import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { useUpload } from '../../../parts/upload.ts';
import { useToasts } from '../../../parts/toasts.tsx';
import { keepWaiting, type WaitingReceipt } from '../waiting.ts';
import { NEW_EXPENSE } from './texts.ts';

/** The files that the reader takes, for `accept` of an input. */
export const READABLE = [
  ...['.pdf', '.png', '.jpg', '.jpeg', '.webp', '.tif', '.tiff', '.heic', '.heif'],
  ...['.xml', '.html', '.htm', '.txt', 'image/*', 'application/pdf'],
];
const LARGEST_BYTES = 25 * 1024 * 1024;

interface Step {
  readonly name: string;
  /** From 1. */
  readonly number: number;
  readonly total: number;
}

/** Uploads receipts one after the other. They go on if the page is left, and wait to be checked. */
export function useUploads() {
  const t = useTexts(NEW_EXPENSE);
  const { signedIn } = useAccount();
  const { upload, percent } = useUpload();
  const queries = useQueryClient();
  const toasts = useToasts();
  const [step, setStep] = useState<Step | null>(null);
  const stopping = useRef<AbortController>(null);
  const uploading = useMutation({
    mutationFn: async (files: readonly File[]): Promise<readonly WaitingReceipt[]> => {
      const { signal } = (stopping.current = new AbortController());
      const done: WaitingReceipt[] = [];
      for (const [index, file] of files.entries()) {
        setStep({ name: file.name, number: index + 1, total: files.length });
        const { fileId, file: stored } = await upload(file, { signal });
        queries.setQueryData(['receipt-link', fileId], stored.remoteUrl);
        queries.setQueryData(['receipt', fileId], file.slice(0, file.size, stored.mimeType));
        const receipt = { fileId, name: stored.fileName };
        keepWaiting(signedIn.companyId, receipt);
        done.push(receipt);
      }
      return done;
    },
    onSettled: () => setStep(null),
  });
  const isStopped = stopping.current?.signal.aborted === true;
  return {
    step,
    percent,
    error: isStopped ? null : uploading.error,
    stop: () => stopping.current?.abort(),
    /** @param onDone not called if the page was left meanwhile */
    start: (files: readonly File[], onDone: (receipts: readonly WaitingReceipt[]) => void) => {
      const fitting = files.filter(({ size }) => size <= LARGEST_BYTES);
      for (const { name } of files.filter((file) => !fitting.includes(file)))
        toasts.fail(new Error(t('tooLarge', { name })));
      if (fitting.length > 0) uploading.mutate(fitting, { onSuccess: onDone });
    },
  };
}

import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../../app/locale.tsx';
import { useAccount } from '../../../app/session.tsx';
import { Explained } from '../../../parts/explained.ts';
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

/** How far the uploads are. It is kept with the answers of the session, so a page that was left shows it again. */
interface Step {
  readonly name: string;
  /** From 1. */
  readonly number: number;
  readonly total: number;
  readonly percent?: number | undefined;
  readonly stop: () => void;
}

const STEP = ['uploads'];

function useStep() {
  const queries = useQueryClient();
  const kept = useQuery<Step | null>({
    ...{ queryKey: STEP, queryFn: skipToken, initialData: null, staleTime: Infinity, gcTime: Infinity },
  });
  return {
    step: kept.data,
    setStep: (step: Step | null) => queries.setQueryData(STEP, step),
    setPercent: (percent: number | undefined) =>
      queries.setQueryData<Step | null>(STEP, (step) => step && { ...step, percent }),
  };
}

/** Uploads receipts one after the other. They go on if the page is left, and wait to be checked. */
export function useUploads() {
  const t = useTexts(NEW_EXPENSE);
  const { signedIn } = useAccount();
  const { step, setStep, setPercent } = useStep();
  const { upload } = useUpload(setPercent);
  const queries = useQueryClient();
  const toasts = useToasts();
  const uploading = useMutation({
    mutationFn: async (files: readonly File[]): Promise<readonly WaitingReceipt[]> => {
      const stopping = new AbortController();
      const { signal } = stopping;
      const done: WaitingReceipt[] = [];
      for (const [index, file] of files.entries()) {
        const name = file.name;
        setStep({ name, number: index + 1, total: files.length, stop: () => stopping.abort() });
        try {
          const { fileId, file: stored } = await upload(file, { signal });
          queries.setQueryData(['receipt-link', fileId], stored.remoteUrl);
          queries.setQueryData(['receipt', fileId], file.slice(0, file.size, stored.mimeType));
          const receipt = { fileId, name: stored.fileName };
          keepWaiting(signedIn.companyId, receipt);
          done.push(receipt);
        } catch (error) {
          if (!signal.aborted) toasts.fail(error, t('notUploaded', { name }));
          throw error;
        }
      }
      return done;
    },
    onSettled: () => setStep(null),
  });
  return {
    step,
    /** @param onDone not called if the page was left meanwhile */
    start: (files: readonly File[], onDone: (receipts: readonly WaitingReceipt[]) => void) => {
      const fitting = files.filter(({ size }) => size <= LARGEST_BYTES);
      for (const { name } of files.filter((file) => !fitting.includes(file)))
        toasts.fail(new Explained(t('tooLarge', { name })));
      if (fitting.length > 0) uploading.mutate(fitting, { onSuccess: onDone });
    },
  };
}

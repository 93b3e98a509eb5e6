import type { Counterfoil } from '@counterfoil/sdk';
import { useState } from 'react';
import { clientOf, useAccount } from '../app/session.tsx';

/** Above this the bytes have left the browser, and the service checks and stores the file. */
const SENT_PERCENT = 99;

/** An upload ends if nothing of it moves for so long, and after half an hour, as in the service. */
const IDLE_MS = 60_000;
const LONGEST_MS = 30 * 60_000;

interface Uploading {
  readonly upload: Counterfoil['files']['upload'];
  /** 0 to 100; undefined until it is known, and while the service stores the file. */
  readonly percent: number | undefined;
}

/**
 * Uploads files and says how far it is. One at a time.
 *
 * @param onPercent is told, too, after the page has been left
 */
export function useUpload(onPercent?: (percent: number | undefined) => void): Uploading {
  const { signedIn } = useAccount();
  const [percent, setPercent] = useState<number>();
  return {
    percent,
    upload: (...input) => {
      const report = (share: number) => {
        const sent = Math.round(share * 100);
        const known = sent > SENT_PERCENT ? undefined : sent;
        setPercent(known);
        onPercent?.(known);
      };
      setPercent(undefined);
      const options = { timeout: LONGEST_MS, fetch: fetchWithProgress(report) };
      return clientOf(signedIn.sessionId ?? 0, options).files.upload(...input);
    },
  };
}

/** The `fetch` of browsers does not say how much it has sent; their older interface does. */
function fetchWithProgress(report: (share: number) => void): typeof fetch {
  return (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const idle = whenIdle(() => {
        reject(new TypeError(`nothing was sent for ${IDLE_MS} ms`));
        request.abort();
      });
      request.open(method, url instanceof Request ? url.url : url);
      request.responseType = 'blob';
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.onprogress = ({ loaded, total }) => {
        idle.postpone();
        report(total > 0 ? loaded / total : 0);
      };
      request.onload = () => resolve(responseOf(request));
      request.onerror = () => reject(new TypeError('the connection broke'));
      request.onabort = () => reject(new DOMException('the upload was stopped', 'AbortError'));
      request.onloadend = () => idle.end();
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as XMLHttpRequestBodyInit | null | undefined);
    });
}

function whenIdle(end: () => void) {
  let timer = setTimeout(end, IDLE_MS);
  return {
    postpone: () => {
      clearTimeout(timer);
      timer = setTimeout(end, IDLE_MS);
    },
    end: () => clearTimeout(timer),
  };
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  return new Response(request.response as Blob, { status: request.status, headers });
}

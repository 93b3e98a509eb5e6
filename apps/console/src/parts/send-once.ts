import { useState } from 'react';

type Send = <Answer>(
  /** All that the call sends, its path included. */
  content: unknown,
  call: (options: { readonly idempotencyKey: string }) => Promise<Answer>,
) => Promise<Answer>;

/** Keeps the idempotency key until the content changes or an answer arrives: a lost answer makes nothing twice. */
export function sendOnce(): Send {
  let attempt = { content: '', key: '' };
  return async (content, call) => {
    const text = JSON.stringify(content);
    if (attempt.content !== text) attempt = { content: text, key: newKey() };
    const answer = await call({ idempotencyKey: attempt.key });
    // The same again is another act from here on.
    attempt = { content: '', key: '' };
    return answer;
  };
}

/** Sends a form: tried again after a lost answer, it is one act. */
export function useSendOnce(): Send {
  const [send] = useState(sendOnce);
  return send;
}

const newKey = () => `console-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

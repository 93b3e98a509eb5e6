export interface Answered<Answer> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Answer;
}

/** Sends JSON, or a text as it is. The caller declares the type of the answer. */
export async function request<Answer>(
  method: string,
  url: string,
  body: unknown,
  key: string,
): Promise<Answered<Answer>> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

/** Uploads bytes and returns the id of the file. */
export async function upload(url: string, bytes: Buffer | string, key: string): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'receipt');
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/files/upload`, { method: 'POST', headers, body: form });
  return ((await answer.json()) as { fileId: number }).fileId;
}

interface OneCall {
  /** `PUT /webhooks/7`. */
  readonly request: string;
  /** The method of the client: `webhooks.edit`. */
  readonly sdk: string;
  /** The ids in the path, which the method takes before the body. */
  readonly ids?: readonly (string | number)[];
  readonly body?: object;
}

/** The call that a form sends with what is typed so far. */
export interface FormCall extends OneCall {
  /** A call before it, whose answer has a field that the body needs. The body has `FROM_ANSWER` there. */
  readonly first?: (OneCall & { readonly answer: string }) | undefined;
}

/** A value that the answer of another call has, or that is secret. */
export const FROM_ANSWER = '…';

/** The call as TypeScript, on a client named `counterfoil`. */
export function sdkOf({ first, ...call }: FormCall): string {
  if (!first) return `await ${invocation(call)};`;
  const { answer } = first;
  const main = invocation(call).replace(`"${answer}": "${FROM_ANSWER}"`, answer);
  return `const { ${answer} } = await ${invocation(first)};\nawait ${main};`;
}

function invocation({ sdk, ids = [], body }: OneCall): string {
  const values = [...ids, ...(body === undefined ? [] : [body])];
  return `counterfoil.${sdk}(${values.map((value) => JSON.stringify(value, null, 2)).join(', ')})`;
}

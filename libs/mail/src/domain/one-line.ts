/** A text in one line, without control characters. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

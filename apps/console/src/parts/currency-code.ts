/** Whether a text can be the code of a currency, and not only its beginning. */
export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

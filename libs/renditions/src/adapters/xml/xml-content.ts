/**
 * The content of an element: its text, or its attributes (`@name`), text (`#text`) and children in their order. An element
 * whose content is undefined is left out, and each entry of a list is an element of its own.
 */
export type XmlContent = string | XmlElement | readonly XmlElement[] | readonly string[] | undefined;

export interface XmlElement {
  readonly [name: string]: XmlContent;
}

/** An element with an amount of money, which always has 2 decimals. */
export function money(value: number): string {
  return value.toFixed(2);
}

/** A number with as many decimals as it has. */
export function plain(value: number): string {
  return String(value);
}

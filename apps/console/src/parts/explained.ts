/** A failure whose message is a sentence of the console, in the language of the page. */
export class Explained extends Error {}

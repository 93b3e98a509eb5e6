/** Of a file that was sent without a name, or with one of which nothing is left. */
const FILE_NAME_DEFAULT = 'file';
/** In characters, which is what people count. */
export const FILE_NAME_LENGTH_MAX = 255;
/** Longer than this, what stands behind the last dot is no extension. */
const EXTENSION_LENGTH_MAX = 20;

/** Controls, what turns the direction of a line (`‮gpj.exe`), and other characters that nobody sees. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/**
 * A name as it may be shown and offered to be saved under: the last step of a path, one line, at most 255 characters.
 * The extension stays when the name is cut.
 */
export function cleanFileName(sent: string | undefined): string {
  const last = (sent ?? '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(UNSEEN, '').replace(/\s+/gu, ' ').trim().normalize('NFC');
  // A name of dots alone is a folder.
  return /^\.*$/.test(name) ? FILE_NAME_DEFAULT : cut(name);
}

function cut(name: string): string {
  const characters = [...name];
  if (characters.length <= FILE_NAME_LENGTH_MAX) return name;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot <= EXTENSION_LENGTH_MAX ? characters.slice(dot) : [];
  return [...characters.slice(0, FILE_NAME_LENGTH_MAX - extension.length), ...extension].join('');
}

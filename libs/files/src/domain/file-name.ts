/** The name of a file that was sent without a usable name. */
const FILE_NAME_DEFAULT = 'file';
/** In characters (code points), not UTF-16 units. */
export const FILE_NAME_LENGTH_MAX = 255;
/** A longer text after the last dot is not an extension. */
const EXTENSION_LENGTH_MAX = 20;

/** Control characters, bidirectional overrides (`‮gpj.exe`) and other invisible characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/**
 * Returns a name that is safe to show and to save under: the last segment of a path, one line, at most 255 characters.
 * A name that is cut keeps its extension.
 */
export function cleanFileName(sent: string | undefined): string {
  const last = (sent ?? '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(UNSEEN, '').replace(/\s+/gu, ' ').trim().normalize('NFC');
  // A name of dots only, such as `..`, names a folder.
  return /^\.*$/.test(name) ? FILE_NAME_DEFAULT : cut(name);
}

function cut(name: string): string {
  const characters = [...name];
  if (characters.length <= FILE_NAME_LENGTH_MAX) return name;
  const dot = characters.lastIndexOf('.');
  const extension = characters.length - dot <= EXTENSION_LENGTH_MAX ? characters.slice(dot) : [];
  return [...characters.slice(0, FILE_NAME_LENGTH_MAX - extension.length), ...extension].join('');
}

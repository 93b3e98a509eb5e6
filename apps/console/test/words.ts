import fs from 'node:fs';
import path from 'node:path';
import { type Catalogue, fill, formsOf, type Language } from '../src/app/messages.ts';

const SOURCES = path.resolve(__dirname, '../src');

/** The files of the console that declare its texts. */
export const TEXT_FILES = fs
  .readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(texts|title|-messages)\.ts$/.test(file));

export const cataloguesIn = (file: string): readonly Catalogue[] =>
  Object.values(jest.requireActual<Record<string, Catalogue>>(path.join(SOURCES, file)));

/** Their tags for `Intl`, and for the contexts of the browser. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', he: 'he-IL' };

/**
 * Says a text of the console as it is shown in one language. Journeys write it as it is shown in English: as in a
 * catalogue, with its values filled in ("Pays Tax invoice 1."), which are translated too if the console has them. A
 * `{name}` that is left in it stands for any value. A text that no catalogue has is an error.
 */
export interface Say {
  /** For a locator: what an element has among its text. */
  (text: string): string | RegExp;
  /** For a locator: the whole text of an element. */
  readonly exactly: (text: string) => RegExp;
  /** The text itself, to compare or to choose. */
  readonly plain: (text: string) => string;
}

const PLACEHOLDER = /\{\w+\}/g;
/** Direction marks of amounts, which differ between versions of ICU. */
const MARK = /[\u200E\u200F]/g;
const NUMBERS = ['number', 'id', 'count'];
const AMOUNT = /^₪[\d,]+\.\d\d$/;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** A text with placeholders: what it matches in English, and how it is translated. */
interface Template {
  readonly english: RegExp;
  readonly translations: readonly string[];
  /** Without words of its own, it would match any text. */
  readonly hasWords: boolean;
}

function templateOf(english: string, translations: Iterable<string>): Template {
  const source = escaped(english).replace(/\\\{(\w+)\\\}/g, (_, name: string) =>
    NUMBERS.includes(name) ? `(?<${name}>\\d+|\\{\\w+\\})` : `(?<${name}>.+)`,
  );
  return {
    english: new RegExp(`^${source}$`),
    translations: [...translations],
    hasWords: /\p{L}/u.test(english.replace(PLACEHOLDER, '')),
  };
}

/** The texts of the console in one language, by how they are written in English. */
class Dictionary {
  private readonly texts = new Map<string, Set<string>>();
  /** First those that begin with words and say most without their values: a value may have words too. */
  private readonly templates: readonly Template[];

  constructor(private readonly language: Language) {
    for (const { en, [language]: own } of TEXT_FILES.flatMap(cataloguesIn))
      for (const [key, text] of Object.entries(en))
        for (const [at, form] of formsOf(text).entries()) {
          const forms = formsOf(own[key]!);
          this.texts.set(form, (this.texts.get(form) ?? new Set()).add(forms[at] ?? forms.at(-1)!));
        }
    const beginsWithWords = (text: string) => Number(!text.startsWith('{'));
    const wordsOf = (text: string) => text.replace(PLACEHOLDER, '').length;
    this.templates = [...this.texts]
      .filter(([english]) => english.search(PLACEHOLDER) >= 0)
      .sort(
        ([one], [other]) => beginsWithWords(other) - beginsWithWords(one) || wordsOf(other) - wordsOf(one),
      )
      .map(([english, translations]) => templateOf(english, translations));
  }

  /** Returns the translations: several, if the same English is translated in several ways. */
  find(text: string): readonly string[] {
    const whole = this.texts.get(text);
    if (whole) return [...whole];
    if (AMOUNT.test(text)) return [this.#amount(text)];
    for (const template of this.templates) {
      const filled = this.#filled(text, template);
      if (filled.length > 0) return filled;
    }
    return [];
  }

  #filled(text: string, { english, translations, hasWords }: Template): readonly string[] {
    const values = Object.entries(english.exec(text)?.groups ?? {});
    if (values.length === 0) return [];
    const found = values.map(([name, value]) => ({ name, value, said: this.find(value) }));
    if (!hasWords && found.every(({ said }) => said.length === 0)) return [];
    let all: readonly Record<string, string>[] = [{}];
    for (const { name, value, said } of found)
      all = all.flatMap((one) => (said.length > 0 ? said : [value]).map((own) => ({ ...one, [name]: own })));
    return all.flatMap((one) => translations.map((translation) => fill(translation, one)));
  }

  #amount(text: string): string {
    const format = new Intl.NumberFormat(LOCALES[this.language], { style: 'currency', currency: 'ILS' });
    return format.format(Number(text.replace(/[₪,]/g, ''))).replace(/\s/g, ' ');
  }
}

const patternOf = (text: string): string =>
  escaped(text)
    .replace(/\\\{\w+\\\}/g, '.+')
    .replace(MARK, '$&?')
    .replace(/\s/g, '\\s');

/** Returns how the console speaks a language. */
export function sayIn(language: Language): Say {
  const dictionary = new Dictionary(language);
  const find = (text: string): readonly string[] => {
    const found = dictionary.find(text);
    if (found.length === 0)
      throw new Error(`no catalogue of the console has the text ${JSON.stringify(text)}`);
    return found;
  };
  const isPlain = ([text, ...others]: readonly string[]) =>
    others.length === 0 && text!.search(PLACEHOLDER) < 0 && text!.search(MARK) < 0;
  const anyOf = (texts: readonly string[]) => texts.map(patternOf).join('|');

  const say = (text: string): string | RegExp => {
    const found = find(text);
    return isPlain(found) ? found[0]! : new RegExp(anyOf(found));
  };
  const exactly = (text: string) => new RegExp(`^(?:${anyOf(find(text))})$`);
  const plain = (text: string): string => {
    const found = find(text);
    if (!isPlain(found))
      throw new Error(`${JSON.stringify(text)} is shown in several ways: ${found.join(' | ')}`);
    return found[0]!;
  };
  return Object.assign(say, { exactly, plain });
}

import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { type Catalogue, fill, type Language, LANGUAGES, type Values } from './messages.ts';
import { readStored, writeStored } from './stored.ts';

export type Appearance = 'system' | 'light' | 'dark';

interface Preferences {
  readonly language: Language;
  readonly appearance: Appearance;
  readonly setLanguage: (language: Language) => void;
  readonly setAppearance: (appearance: Appearance) => void;
}

/** Their tags for `Intl`. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', he: 'he-IL' };
const PreferencesContext = createContext<Preferences | null>(null);

function firstLanguage(): Language {
  const stored = readStored('language') as Language | null;
  if (stored !== null && LANGUAGES.includes(stored)) return stored;
  return navigator.language.startsWith('he') ? 'he' : 'en';
}

/** Keeps the language and the appearance, and sets them on the page. */
export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(firstLanguage);
  const [appearance, setAppearance] = useState(() => (readStored('appearance') ?? 'system') as Appearance);
  useEffect(() => {
    const root = document.documentElement;
    root.lang = language;
    root.dir = language === 'he' ? 'rtl' : 'ltr';
    root.dataset['appearance'] = appearance;
    writeStored('language', language);
    writeStored('appearance', appearance);
  }, [language, appearance]);
  const preferences = useMemo(
    () => ({ language, appearance, setLanguage, setAppearance }),
    [language, appearance],
  );
  return (
    <PreferencesContext value={preferences}>
      <I18nProvider locale={LOCALES[language]}>{children}</I18nProvider>
    </PreferencesContext>
  );
}

export function usePreferences(): Preferences {
  const preferences = use(PreferencesContext);
  if (!preferences) throw new Error('PreferencesProvider is missing');
  return preferences;
}

/** Returns a function that looks up the texts of a catalogue in the chosen language. */
export function useTexts<Key extends string>(
  catalogue: Catalogue<Key>,
): (key: Key, values?: Values) => string {
  const { language } = usePreferences();
  return (key, values) => fill(catalogue[language][key], values);
}

export interface Formats {
  readonly date: (value: string | Date) => string;
  readonly time: (value: string | Date) => string;
  readonly number: (value: number) => string;
  /** An exchange rate, with its 4 decimals. */
  readonly rate: (value: number) => string;
  /** @param value in the main unit, such as euros; @param currency ISO 4217 */
  readonly money: (value: number, currency: string) => string;
}

const TWO_DECIMALS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** Writes dates, numbers and amounts as the chosen language does. */
export function useFormats(): Formats {
  const { language } = usePreferences();
  return useMemo(() => {
    const locale = LOCALES[language];
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
    const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
    const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
    const number = new Intl.NumberFormat(locale);
    const rate = new Intl.NumberFormat(locale, { minimumFractionDigits: 4, maximumFractionDigits: 4 });
    return {
      // A day without a time is the same day everywhere.
      date: (value) =>
        typeof value === 'string' && value.length === 10
          ? day.format(new Date(value))
          : date.format(new Date(value)),
      time: (value) => time.format(new Date(value)),
      number: (value) => number.format(value),
      rate: (value) => rate.format(value),
      money: (value, currency) =>
        // Every currency has two decimals here (docs/money.md), also those with none or three of their own.
        new Intl.NumberFormat(locale, { style: 'currency', currency, ...TWO_DECIMALS }).format(value),
    };
  }, [language]);
}

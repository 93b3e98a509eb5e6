import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { Icon } from '../parts/icon.tsx';
import { type Appearance, usePreferences, useTexts } from './locale.tsx';
import type { Language } from './messages.ts';
import { SHELL } from './shell-messages.ts';

/** Each language is named in itself, for those who read no other one. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', he: 'עברית' };
const APPEARANCES = ['system', 'light', 'dark'] as const;

export function PreferencesMenu() {
  const t = useTexts(SHELL);
  const { language, appearance, setLanguage, setAppearance } = usePreferences();
  return (
    <MenuTrigger>
      <Button className="button quiet" aria-label={`${NAMES[language]}. ${t('settings')}`}>
        <Icon name="globe" />
        <span>{NAMES[language]}</span>
      </Button>
      <Popover className="popover">
        <Menu className="menu" aria-label={t('settings')}>
          <MenuSection
            selectionMode="single"
            selectedKeys={[language]}
            onSelectionChange={(keys) => setLanguage(chosen<Language>(keys, language))}
          >
            <Header>{t('language')}</Header>
            <MenuItem id="en" className="item">
              <bdi lang="en">{NAMES.en}</bdi>
            </MenuItem>
            <MenuItem id="he" className="item">
              <bdi lang="he">{NAMES.he}</bdi>
            </MenuItem>
          </MenuSection>
          <MenuSection
            selectionMode="single"
            selectedKeys={[appearance]}
            onSelectionChange={(keys) => setAppearance(chosen<Appearance>(keys, appearance))}
          >
            <Header>{t('appearance')}</Header>
            {APPEARANCES.map((one) => (
              <MenuItem id={one} key={one} className="item">
                {t(one)}
              </MenuItem>
            ))}
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** A click on the chosen item would choose none. */
function chosen<Value extends string>(keys: 'all' | Iterable<unknown>, present: Value): Value {
  const [key] = keys === 'all' ? [] : [...keys];
  return (key as Value | undefined) ?? present;
}

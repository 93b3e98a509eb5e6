import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components';
import { Icon } from '../parts/icon.tsx';
import { useToasts } from '../parts/toasts.tsx';
import { leaveBy } from '../parts/unsaved.ts';
import { useTexts } from './locale.tsx';
import { useAccount, useSessions } from './session.tsx';
import { SHELL } from './shell-messages.ts';

/** Says who is signed in, switches between the companies that this browser is signed in to, and signs out. */
export function CompanyMenu() {
  const t = useTexts(SHELL);
  const { known, current, switchTo, signOut } = useSessions();
  const { signedIn } = useAccount();
  const navigate = useNavigate();
  const toasts = useToasts();
  const leaving = useMutation({ mutationFn: signOut, onError: (error) => toasts.fail(error) });
  return (
    <MenuTrigger>
      <Button className="button company" aria-label={t('switchCompany', { name: signedIn.companyName })}>
        <bdi>{signedIn.companyName}</bdi>
        <Icon name="down" />
      </Button>
      <Popover className="popover">
        <Menu className="menu">
          <MenuSection
            aria-label={t('signedInTo')}
            selectionMode="single"
            selectedKeys={current ? [current.id] : []}
          >
            {known.map(({ id, company }) => (
              <MenuItem
                key={id}
                id={id}
                className="item"
                textValue={company}
                onAction={() => id !== current?.id && leaveBy(() => switchTo(id))}
              >
                <bdi>{company}</bdi>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator />
          <MenuSection>
            <Header>
              <div>
                <bdi>{t('signedInAs', { user: signedIn.userName, role: t(`role_${signedIn.role}`) })}</bdi>
              </div>
              <div>
                <bdi>{t('withKey', { key: signedIn.keyName ?? signedIn.apiKeyId })}</bdi>
              </div>
            </Header>
            <MenuItem id="add" className="item" onAction={() => void navigate({ to: '/sign-in' })}>
              {t('addCompany')}
            </MenuItem>
            <MenuItem id="leave" className="item" onAction={() => leaveBy(leaving.mutate)}>
              {t('signOut')}
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

import type { Screen } from './app/screen.ts';
import { COMPANY_TITLE } from './screens/company/title.ts';
import { NEW_EXPENSE_TITLE } from './screens/expenses/new/title.ts';
import { EXPENSE_TITLE } from './screens/expenses/one/title.ts';
import { EXPENSES_TITLE } from './screens/expenses/title.ts';
import { KEYS_TITLE } from './screens/keys/title.ts';
import { MAILS_TITLE } from './screens/mails/title.ts';
import { ISSUE_TITLE } from './screens/documents/issue/title.ts';
import { CHANGES_TITLE } from './screens/documents/changes/title.ts';
import { DOCUMENTS_TITLE } from './screens/documents/list/title.ts';
import { DOCUMENT_TITLE } from './screens/documents/record/title.ts';
import { NEW_RETAINER_TITLE, RETAINERS_TITLE } from './screens/documents/retainers/title.ts';
import { CLIENT_TITLE } from './screens/parties/client/title.ts';
import { CLIENTS_TITLE } from './screens/parties/clients/title.ts';
import { STATEMENT_TITLE } from './screens/parties/statement/title.ts';
import { PRICELIST_TITLE } from './screens/parties/pricelist/title.ts';
import { VENDOR_TITLE } from './screens/parties/vendor/title.ts';
import { VENDORS_TITLE } from './screens/parties/vendors/title.ts';
import {
  CARDS_TITLE,
  CHARGE_TITLE,
  PAYMENT_PAGES_TITLE,
  PAYMENTS_TITLE,
  RECURRING_TITLE,
} from './screens/payments/title.ts';
import { RATES_TITLE } from './screens/rates/title.ts';
import { SESSIONS_TITLE } from './screens/sessions/title.ts';
import { STOCK_TITLE } from './screens/stock/list/title.ts';
import { STOCK_RECORD_TITLE } from './screens/stock/record/title.ts';
import { TODAY_TITLE } from './screens/today/title.ts';
import { DELIVERY_TITLE, ENDPOINT_TITLE, EVENTS_TITLE, WEBHOOKS_TITLE } from './screens/webhooks/title.ts';

/** Every screen, in the order of the navigation. A new one is added here, and nowhere else. */
export const SCREENS: readonly Screen[] = [
  {
    ...{ path: '/', texts: TODAY_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/today/page.tsx'),
  },
  {
    ...{ path: '/expenses', texts: EXPENSES_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/expenses/page.tsx'),
  },
  {
    ...{ path: '/expenses/new', texts: NEW_EXPENSE_TITLE, group: null, needs: 'write' },
    load: () => import('./screens/expenses/new/page.tsx'),
  },
  {
    ...{ path: '/expenses/$id', texts: EXPENSE_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/expenses/one/page.tsx'),
  },
  {
    ...{ path: '/documents', texts: DOCUMENTS_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/documents/list/page.tsx'),
  },
  {
    ...{ path: '/documents/new', texts: ISSUE_TITLE, group: null, needs: 'write' },
    load: () => import('./screens/documents/issue/page.tsx'),
  },
  {
    ...{ path: '/documents/$id', texts: DOCUMENT_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/documents/record/page.tsx'),
  },
  {
    ...{ path: '/retainers', texts: RETAINERS_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/documents/retainers/page.tsx'),
  },
  {
    ...{ path: '/retainers/new', texts: NEW_RETAINER_TITLE, group: null, needs: 'write' },
    load: () => import('./screens/documents/retainers/new.tsx'),
  },
  {
    ...{ path: '/payments', texts: PAYMENTS_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/payments/charges/page.tsx'),
  },
  {
    ...{ path: '/payments/charges/$id', texts: CHARGE_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/payments/charge/page.tsx'),
  },
  {
    ...{ path: '/payments/cards', texts: CARDS_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/payments/cards/page.tsx'),
  },
  {
    ...{ path: '/payments/pages', texts: PAYMENT_PAGES_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/payments/pages/page.tsx'),
  },
  {
    ...{ path: '/payments/recurring', texts: RECURRING_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/payments/recurring/page.tsx'),
  },
  {
    ...{ path: '/changes', texts: CHANGES_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/documents/changes/page.tsx'),
  },
  {
    ...{ path: '/mails', texts: MAILS_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/mails/page.tsx'),
  },
  {
    ...{ path: '/vendors', texts: VENDORS_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/parties/vendors/page.tsx'),
  },
  {
    ...{ path: '/vendors/$id', texts: VENDOR_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/parties/vendor/page.tsx'),
  },
  {
    ...{ path: '/vendors/$id/pricelist', texts: PRICELIST_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/parties/pricelist/page.tsx'),
  },
  {
    ...{ path: '/clients', texts: CLIENTS_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/parties/clients/page.tsx'),
  },
  {
    ...{ path: '/clients/$id', texts: CLIENT_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/parties/client/page.tsx'),
  },
  {
    ...{ path: '/clients/$id/statement', texts: STATEMENT_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/parties/statement/page.tsx'),
  },
  {
    ...{ path: '/stock', texts: STOCK_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/stock/list/page.tsx'),
  },
  {
    ...{ path: '/stock/$product/$warehouse', texts: STOCK_RECORD_TITLE, group: null, needs: 'read' },
    load: () => import('./screens/stock/record/page.tsx'),
  },
  {
    ...{ path: '/rates', texts: RATES_TITLE, group: 'work', needs: 'read' },
    load: () => import('./screens/rates/page.tsx'),
  },
  {
    ...{ path: '/webhooks', texts: WEBHOOKS_TITLE, group: 'work', needs: 'administer' },
    load: () => import('./screens/webhooks/page.tsx'),
  },
  {
    ...{ path: '/webhooks/events', texts: EVENTS_TITLE, group: null, needs: 'administer' },
    load: () => import('./screens/webhooks/events/page.tsx'),
  },
  {
    ...{ path: '/webhooks/$id', texts: ENDPOINT_TITLE, group: null, needs: 'administer' },
    load: () => import('./screens/webhooks/endpoint/page.tsx'),
  },
  {
    ...{
      path: '/webhooks/$id/deliveries/$deliveryId',
      texts: DELIVERY_TITLE,
      group: null,
      needs: 'administer',
    },
    load: () => import('./screens/webhooks/delivery/page.tsx'),
  },
  {
    ...{ path: '/company', texts: COMPANY_TITLE, group: 'settings', needs: 'read' },
    load: () => import('./screens/company/page.tsx'),
  },
  {
    ...{ path: '/keys', texts: KEYS_TITLE, group: 'settings', needs: 'administer' },
    load: () => import('./screens/keys/page.tsx'),
  },
  {
    ...{ path: '/sessions', texts: SESSIONS_TITLE, group: 'settings', needs: 'read' },
    load: () => import('./screens/sessions/page.tsx'),
  },
];

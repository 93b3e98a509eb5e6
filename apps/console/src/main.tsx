import { createRoot } from 'react-dom/client';
import { Console } from './app/console.tsx';
import './styles/base.css';
import './styles/surfaces.css';
import './styles/dialogs.css';
import './styles/fields.css';
import './styles/records.css';
import './styles/documents.css';
import './styles/expenses.css';
import './styles/webhooks.css';
import './styles/money.css';
import './styles/print.css';

const root = document.getElementById('console');
if (root) createRoot(root).render(<Console />);

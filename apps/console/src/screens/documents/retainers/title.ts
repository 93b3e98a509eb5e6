import { messages } from '../../../app/messages.ts';

export const RETAINERS_TITLE = messages({ en: { title: 'Retainers' }, he: { title: 'ריטיינרים' } });
export const NEW_RETAINER_TITLE = messages({
  en: { title: 'New retainer' },
  he: { title: 'ריטיינר חדש' },
});

export { EVENT_CATALOGUE } from './event-catalogue';

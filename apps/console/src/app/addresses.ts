/** This module is `…/console/assets/NAME.js`: the service may be reached below a path. */
const CONSOLE = new URL('../', import.meta.url);

/** The path of the console, without a trailing slash. */
export const BASE_PATH = CONSOLE.pathname.replace(/\/$/, '');

/** The address of the API, which serves this page. */
export const SERVICE_URL = new URL('../', CONSOLE).href.replace(/\/$/, '');

export const errorPage = (code: string): string => `${SERVICE_URL}/docs/guides/errors#${code.toLowerCase()}`;
export const guide = (page: string): string => `${SERVICE_URL}/docs/guides/${page}`;

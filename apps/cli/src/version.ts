/** That of package.json, which the build of the repository does not copy; a spec compares both. */
export const VERSION = '0.1.0';

// The last release, which `npm run compat` and the trial `upgrade` compare the checkout with.
import { execFileSync } from 'node:child_process';

/**
 * @param {string} root the folder of a checkout
 * @returns {(...args: string[]) => string | undefined} runs Git there; it returns the output, or undefined where Git has
 *   no answer
 */
export const gitIn =
  (root) =>
  (...args) => {
    try {
      const options = {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 64 * 1_048_576,
        stdio: ['ignore', 'pipe', 'ignore'],
      };
      return execFileSync('git', args, options);
    } catch {
      return undefined;
    }
  };

/**
 * @param {ReturnType<typeof gitIn>} git
 * @returns {{ name: string, commit: string }[]} the last release tag and, for before the first release, the commits where
 *   the branch left `main`; the best comes first
 */
export function lastReleases(git) {
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')?.trim();
  const forks = ['origin/main', 'main'].map((branch) => ({
    name: `the fork from ${branch}`,
    commit: git('merge-base', branch, 'HEAD')?.trim(),
  }));
  return [{ name: release, commit: release }, ...forks].filter(({ commit }) => commit);
}

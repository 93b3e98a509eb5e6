/**
 * Programs for the page of the console, as texts: Playwright evaluates them in it. They wait there for its next change,
 * because asking again and again from outside costs time, and the policy of the page forbids the polling of Playwright.
 * Each is a function, and answers `DONE` in the end.
 */

export const DONE = 'done';

/** `when(what, isDone)` resolves once it is done. It rejects if that takes longer than `limitMs`. */
const WHEN = `
  const when = (what, isDone) =>
    new Promise((resolve, reject) => {
      const end = (settle, value) => {
        observer.disconnect();
        clearTimeout(timer);
        settle(value);
      };
      const look = () => isDone() && end(resolve);
      const observer = new MutationObserver(look);
      const late = () => end(reject, new Error(what + ': not within ' + limitMs + ' ms'));
      const timer = setTimeout(late, limitMs);
      observer.observe(document, { subtree: true, childList: true, attributes: true });
      look();
    });
`;

/** Waits until nothing matches a selector of CSS. Takes the selector and the limit. */
export const GONE = `async (selector, limitMs) => {
  ${WHEN}
  await when('no ' + selector, () => !document.querySelector(selector));
  return '${DONE}';
}`;

/**
 * Waits until the page has a heading, and nothing of it is loading. What begins to load when it is drawn is waited for,
 * too, so it must be so in two frames. Takes the limit.
 */
export const SETTLED = `async (limitMs) => {
  ${WHEN}
  const isSettled = () =>
    document.querySelector('main h1') && !document.querySelector('.loading, [aria-busy=true]');
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  do {
    await when('a page that is settled', isSettled);
    await frame();
    await frame();
  } while (!isSettled());
  return '${DONE}';
}`;

/**
 * Goes to an address as a link does: the console is not loaded again. On the way it goes to an address that has no page.
 * So the page before has left the document when the next one comes, even if both are of the same screen, and the next
 * one is there when the page that says so has left. Takes the address, the one without a page, and the limit.
 */
export const FOLLOW = `async (address, nowhere, limitMs) => {
  ${WHEN}
  const find = () => document.querySelector('main > .empty > h1');
  const before = document.querySelector('main h1');
  history.pushState({}, '', nowhere);
  await when('the page at ' + nowhere, () => !before?.isConnected && find());
  const between = find();
  history.pushState({}, '', address);
  await when('the page at ' + address, () => !between.isConnected);
  return '${DONE}';
}`;

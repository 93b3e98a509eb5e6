/**
 * Whether a page is preferred to JSON: browsers name `text/html`, programs usually accept anything.
 *
 * @param accept the value of the Accept header
 */
export function prefersPage(accept: string | undefined): boolean {
  const quality = (type: string) => {
    const found = (accept ?? '').split(',').map((range) => range.split(';').map((part) => part.trim()));
    const range = found.find(([name = '']) => name.toLowerCase() === type);
    const weight = range?.find((part) => /^q=/i.test(part))?.slice(2);
    return range === undefined ? 0 : Number(weight ?? 1);
  };
  return quality('text/html') > quality('application/json');
}

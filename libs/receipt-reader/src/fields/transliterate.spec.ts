import { consonantsOf } from './transliterate';

describe('the consonants of a word', () => {
  it.each([
    ['גלעד', 'gilad'],
    ['ברקת', 'Bareket'],
    ['טללים', 'tlalim'],
    ['צוקים', 'tzukim'],
    ['ורדית', 'vardit'],
    ['חרמון', 'hermon'],
    ['שחף', 'shahaf'],
  ])('are alike in %s and %s', (hebrew, latin) => {
    expect(consonantsOf(hebrew)).toBe(consonantsOf(latin));
  });

  it('differ between different names', () => {
    expect(consonantsOf('אלון')).not.toBe(consonantsOf('gilad'));
  });
});

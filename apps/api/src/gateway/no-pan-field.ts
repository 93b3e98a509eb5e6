import { holdsCardNumber } from '@counterfoil/kernel';
import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { isLongerThan, TextField } from '../http/fields';

/** The message offers a way out, because one other number in ten has a valid check digit by chance. */
export const CARD_NUMBER_PROBLEM =
  'must not contain a card number; send another number that looks like one with a letter between its digits';

/** Text that is stored or sent on. It must not contain a card number, because only providers may have those. */
export function NoPanTextField(options: Parameters<typeof TextField>[0]) {
  const check = ValidateBy({
    name: 'noPan',
    validator: {
      // A text that is too long is refused for that. The search in a text of a megabyte takes a second.
      validate: (value: unknown) =>
        typeof value !== 'string' || isLongerThan(value, options.max) || !holdsCardNumber(value),
      defaultMessage: () => CARD_NUMBER_PROBLEM,
    },
  });
  return applyDecorators(TextField(options), check);
}

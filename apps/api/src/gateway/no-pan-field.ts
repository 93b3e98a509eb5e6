import { holdsCardNumber } from '@counterfoil/kernel';
import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { TextField } from '../http/fields';

/** One number in ten has the right check digit by chance. */
export const CARD_NUMBER_PROBLEM =
  'must not hold a card number; a number that is none can be sent with a letter between its digits';

/** Text that is stored or sent on. It may hold no card number: only providers may have those. */
export function NoPanTextField(options: Parameters<typeof TextField>[0]) {
  const check = ValidateBy({
    name: 'noPan',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || !holdsCardNumber(value),
      defaultMessage: () => CARD_NUMBER_PROBLEM,
    },
  });
  return applyDecorators(TextField(options), check);
}

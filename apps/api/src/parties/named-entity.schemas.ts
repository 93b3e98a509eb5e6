import { IntegerProperty, TextProperty, UuidProperty } from '../http/answers';

/** The client or vendor that a record belongs to, in the answers of other areas. */
export class NamedEntityBody {
  @IntegerProperty() readonly id!: number;
  @UuidProperty() readonly visibleId!: string;
  @TextProperty() readonly name!: string;
}

import { flags, type Features } from './model';
import { isIncluded, type Amount } from './money';
import { TOTAL_ROLES, type Role } from './roles';

/** Common rates of VAT, GST and sales tax, in hundredths of a percent. */
const KNOWN_RATES = [
  500, 550, 600, 700, 770, 800, 810, 900, 1000, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 1900, 2000, 2100,
  2200, 2300, 2400, 2500, 2550, 2700,
];

const TAX_ROLES: ReadonlySet<Role> = new Set(['tax', 'taxTotal']);
const NET_ROLES: ReadonlySet<Role> = new Set(['net', 'sub', 'amount', 'total']);

/** True if the tax is this rate of the net amount, within the rounding to cents. */
function isRate(tax: number, net: number, rate: number): boolean {
  return Math.abs(tax - (net * rate) / 10_000) <= 1.01 + net * 0.0002;
}

const turn = (amount: Amount): Amount => ({ ...amount, cents: -amount.cents });

const NONE: readonly Amount[] = [];

/** Finds the sums that relate the amounts of a document to each other. */
export class Arithmetic {
  private readonly byCents = new Map<number, Amount[]>();
  /** Cache: `withRole` is called for every candidate amount. */
  private readonly byRoles = new Map<string, readonly Amount[]>();
  private readonly values: readonly number[];
  private turned: Arithmetic | undefined;

  constructor(
    private readonly amounts: readonly Amount[],
    /** The tax rates printed in the document, in hundredths of a percent. */
    private readonly rates: ReadonlySet<number>,
  ) {
    for (const amount of amounts) {
      const same = this.byCents.get(amount.cents);
      if (same) same.push(amount);
      else this.byCents.set(amount.cents, [amount]);
    }
    this.values = [...this.byCents.keys()].slice(0, 250);
  }

  /** Returns the amounts that equal this value within one cent. */
  near(cents: number): readonly Amount[] {
    const found = [cents, cents - 1, cents + 1].filter((value) => this.byCents.has(value));
    return found.length === 0 ? NONE : found.flatMap((value) => this.byCents.get(value) ?? []);
  }

  repeats(cents: number): number {
    return this.byCents.get(cents)?.length ?? 0;
  }

  withRole(...roles: Role[]): readonly Amount[] {
    const key = roles.join();
    const known = this.byRoles.get(key);
    if (known) return known;
    const found = this.amounts.filter((amount) => roles.includes(amount.role));
    this.byRoles.set(key, found);
    return found;
  }

  /** True if the label in the row or the heading of the column says that the amount is a tax. */
  isTax(amount: Amount): boolean {
    return (
      TAX_ROLES.has(amount.role) ||
      (amount.column === 'tax' && (!TOTAL_ROLES.has(amount.role) || !amount.direct))
    );
  }

  /** True if the tax and the net amount match a common rate or a rate that the document prints. */
  knownRate(tax: number, net: number): boolean {
    return [...this.rates, ...KNOWN_RATES].some((rate) => rate > 0 && isRate(tax, net, rate));
  }

  printedRate(tax: number, net: number): boolean {
    return [...this.rates].some((rate) => rate > 0 && isRate(tax, net, rate));
  }

  /**
   * Returns the features of the amount as the total of a credit note: the same sums with all signs reversed.
   */
  ofCredit(amount: Amount): Features {
    this.turned ??= new Arithmetic(this.amounts.map(turn), this.rates);
    return this.turned.ofTotal(turn(amount));
  }

  /** Returns the features of the amount as the total. */
  ofTotal(amount: Amount): Features {
    const { cents } = amount;
    return flags({
      'sum:net+tax': this.isNetAndTax(cents, true),
      'sum:rate': this.isNetAndTax(cents, false),
      'sum:isNet': this.isNet(cents),
      'sum:included': this.includesTax(cents),
      'sum:rounded': this.isRounded(cents),
      'sum:beforeRounding': this.isBeforeRounding(cents),
      'sum:cashChange': this.isCashLessChange(cents),
      'sum:paid': this.near(cents).some(
        (other) => other.cents === cents && /^(?:cash|card|paidTotal)$/.test(other.role),
      ),
      'sum:items': this.isItemSum(amount),
      'sum:extras': this.isWithExtras(cents),
      'sum:beforeDeposit': this.withRole('deposit').some((paid) =>
        this.hasRole(cents - Math.abs(paid.cents), 'due'),
      ),
      'sum:totals': this.isSumOfTotals(cents),
      'sum:part': this.isPartOfTotal(cents),
      'sum:discounted': this.isDiscounted(cents),
    });
  }

  private hasRole(cents: number, ...roles: Role[]): boolean {
    return (this.byCents.get(cents) ?? []).some((amount) => roles.includes(amount.role));
  }

  /** True if a labelled net amount and all labelled taxes, at least two, add up to this amount. */
  private isNetAndTaxes(total: number): boolean {
    const taxes = this.withRole('tax').filter(({ direct, inSummary }) => direct && !inSummary);
    const sum = taxes.reduce((all, { cents }) => all + cents, 0);
    if (taxes.length < 2 || sum <= 0 || sum * 3 > total) return false;
    return this.near(total - sum).some(({ role }) => NET_ROLES.has(role));
  }

  private isNetAndTax(total: number, labelled: boolean): boolean {
    if (labelled && this.isNetAndTaxes(total)) return true;
    return this.values.some((tax) => {
      if (tax <= 0 || tax * 3 > total) return false;
      const net = this.near(total - tax);
      if (net.length === 0 || !this.knownRate(tax, total - tax)) return false;
      if (!labelled) return true;
      const taxed = (this.byCents.get(tax) ?? []).some((other) => this.isTax(other));
      return (
        taxed &&
        net.some((other) => NET_ROLES.has(other.role) || NET_ROLES.has(other.column) || other.inSummary)
      );
    });
  }

  /** True if a printed tax rate shows that a tax is included in this amount. */
  private includesTax(cents: number): boolean {
    return this.amounts.some((tax) => tax.cents > 0 && this.isTax(tax) && isIncluded(tax, cents));
  }

  /** True if this amount plus a tax equals another amount that is labelled as a total. */
  private isNet(cents: number): boolean {
    return this.amounts.some(
      (tax) =>
        tax.cents > 0 &&
        tax.cents * 3 < cents &&
        this.isTax(tax) &&
        this.knownRate(tax.cents, cents) &&
        this.near(cents + tax.cents).some((other) => TOTAL_ROLES.has(other.role) || other.inSummary),
    );
  }

  private roundings(): number[] {
    return this.withRole('rounding')
      .map((amount) => amount.cents)
      .filter((cents) => cents !== 0 && Math.abs(cents) <= 100)
      .flatMap((cents) => [cents, -cents]);
  }

  /**
   * True if another amount that is labelled as a total differs by one or two cents: one of the two is rounded
   * to five cents.
   */
  private hasRoundedTwin(cents: number): boolean {
    return [-2, -1, 1, 2].some((by) =>
      this.hasRole(cents + by, 'total', 'grand', 'gross', 'nett', 'rounded', 'sub'),
    );
  }

  private isRounded(total: number): boolean {
    return (
      total % 5 === 0 &&
      (this.hasRoundedTwin(total) ||
        this.roundings().some((rounding) =>
          (this.byCents.get(total - rounding) ?? []).some(
            (before) => TOTAL_ROLES.has(before.role) || NET_ROLES.has(before.role),
          ),
        ))
    );
  }

  private isBeforeRounding(cents: number): boolean {
    return (
      cents % 5 !== 0 &&
      (this.hasRoundedTwin(cents) ||
        this.roundings().some((rounding) =>
          (this.byCents.get(cents + rounding) ?? []).some(
            (after) => (cents + rounding) % 5 === 0 && (TOTAL_ROLES.has(after.role) || after.role === 'cash'),
          ),
        ))
    );
  }

  private isCashLessChange(total: number): boolean {
    const given = this.withRole('cash', 'card', 'paidTotal');
    return this.withRole('change').some((change) =>
      given.some((cash) => cash.cents - Math.abs(change.cents) === total && change.cents !== 0),
    );
  }

  /** True if unlabelled amounts in the rows above, one in each row, add up to this amount. */
  private isItemSum(total: Amount): boolean {
    let sum = 0;
    let items = 0;
    const above = this.amounts.filter(
      (amount) =>
        amount.line.index < total.line.index &&
        amount.last &&
        (amount.role === '' || amount.role === 'price' || !amount.direct),
    );
    for (const item of above.toReversed().slice(0, 60)) {
      sum += item.cents;
      items++;
      if (items > 1 && sum === total.cents) return true;
    }
    return false;
  }

  /** True if subtotals (for each tax rate or section) add up to this amount. */
  private isSumOfTotals(total: number): boolean {
    const parts = this.partTotals();
    return parts.some((part) => part !== 0 && part !== total && parts.includes(total - part));
  }

  /** True if this amount and another subtotal add up to a third total. */
  private isPartOfTotal(cents: number): boolean {
    const parts = this.partTotals();
    return (
      parts.includes(cents) &&
      parts.some((other) => other !== 0 && other !== cents && this.hasRole(cents + other, ...TOTAL_ROLES))
    );
  }

  private partTotals(): number[] {
    return [...new Set(this.withRole('total', 'gross', 'sub', 'net').map((amount) => amount.cents))].slice(
      0,
      30,
    );
  }

  private isWithExtras(total: number): boolean {
    const extras = [...this.withRole('service'), ...this.withRole('tax', 'taxTotal')].slice(0, 12);
    return this.withRole('sub', 'total', 'net').some((sub) => {
      const rest = total - sub.cents;
      if (rest <= 0) return false;
      return extras.some((one, index) =>
        extras
          .slice(index + 1)
          .some((other) => Math.abs(one.cents + other.cents - rest) <= 3 && other.cents > 0),
      );
    });
  }

  private isDiscounted(total: number): boolean {
    return this.withRole('discount').some(
      (discount) =>
        discount.cents !== 0 && this.hasRole(total + Math.abs(discount.cents), 'sub', 'total', 'gross'),
    );
  }
}

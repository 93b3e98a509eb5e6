/** The words of one language. Each entry lists the alternatives among which writers choose. */
export interface Wording {
  /** Titles of the kinds of document. */
  readonly invoice: readonly string[];
  readonly receipt: readonly string[];
  readonly credit: readonly string[];
  /** Labels of the document's facts. */
  readonly number: readonly string[];
  readonly receiptNumber: readonly string[];
  readonly creditNumber: readonly string[];
  readonly date: readonly string[];
  readonly due: readonly string[];
  readonly delivered: readonly string[];
  readonly order: readonly string[];
  readonly customerNo: readonly string[];
  readonly customer: readonly string[];
  readonly seller: readonly string[];
  readonly taxId: readonly string[];
  readonly customerTaxId: readonly string[];
  readonly phone: readonly string[];
  readonly email: readonly string[];
  readonly bank: readonly string[];
  /** Headings of the columns of items. */
  readonly item: readonly string[];
  readonly quantity: readonly string[];
  readonly price: readonly string[];
  readonly rate: readonly string[];
  readonly amount: readonly string[];
  /** Labels of sums. `%` in the label of the tax stands for the rate. */
  readonly net: readonly string[];
  readonly tax: readonly string[];
  readonly total: readonly string[];
  readonly includedTax: readonly string[];
  readonly balance: readonly string[];
  readonly deposit: readonly string[];
  readonly discount: readonly string[];
  readonly shipping: readonly string[];
  readonly tip: readonly string[];
  readonly rounding: readonly string[];
  readonly cash: readonly string[];
  readonly change: readonly string[];
  readonly card: readonly string[];
  readonly previous: readonly string[];
  /** Other texts. */
  readonly slogans: readonly string[];
  readonly thanks: readonly string[];
  readonly terms: readonly string[];
  readonly greeting: readonly string[];
  readonly clerk: readonly string[];
  readonly table: readonly string[];
  readonly page: readonly string[];
  readonly taxSummary: readonly string[];
  readonly items: readonly string[];
}

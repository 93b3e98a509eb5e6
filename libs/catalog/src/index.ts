export { CATALOG_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { CreateProduct, type CreateProductInput, type ProductIds } from './application/create-product';
export { EditProduct } from './application/edit-product';
export { type ListedEntry } from './application/ports/pricelist.reader';
export { ProductDirectory } from './application/ports/product-directory';
export {
  PRODUCT_FILTERS,
  PRODUCT_SORTS,
  type ProductKey,
  ProductReader,
  type ProductSort,
} from './application/ports/product.reader';
export { ReadPricelist } from './application/read-pricelist';
export { ReplacePricelist } from './application/replace-pricelist';
export { TIER_TYPES } from './domain/price-tier';
export { ENTRIES_MAX, PRICING_MODES, TIERS_MAX, TIERS_MODES, VENDOR_SKU_MAX } from './domain/pricelist';
export { type Quote, QUOTE_SOURCES } from './domain/quote';
export { type Product, type ProductSerial, SERIAL_LENGTH_MAX, SERIALS_MAX } from './domain/product';
export { CatalogModule } from './catalog.module';

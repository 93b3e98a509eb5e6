import { fine, generatedId, wholeNumber } from '@counterfoil/database';
import { EntitySchema } from 'typeorm';
import type { Product } from '../../domain/product';

/** Made by the database of what is searched and sorted by, in lower case. */
interface ProductKeys {
  readonly nameKey: string;
  readonly skuKey: string;
  readonly manufacturerSkuKey: string | null;
}

const key = { type: 'text', select: false, insert: false, update: false } as const;

export const ProductSchema = new EntitySchema<Product & ProductKeys>({
  name: 'Product',
  tableName: 'products',
  columns: {
    id: generatedId,
    visibleId: { type: 'uuid', name: 'visible_id' },
    companyId: { ...wholeNumber, name: 'company_id' },
    name: { type: 'text' },
    sku: { type: 'text' },
    manufacturerSku: { type: 'text', name: 'manufacturer_sku', nullable: true },
    unit: { type: 'text', nullable: true },
    buyingPrice: { ...fine, name: 'buying_price', nullable: true },
    sellingPrice: { ...fine, name: 'selling_price', nullable: true },
    isActive: { type: 'boolean', name: 'is_active' },
    createdAt: { type: 'timestamptz', name: 'created_at' },
    updatedAt: { type: 'timestamptz', name: 'updated_at' },
    nameKey: { ...key, name: 'name_key' },
    skuKey: { ...key, name: 'sku_key' },
    manufacturerSkuKey: { ...key, name: 'manufacturer_sku_key', nullable: true },
  },
});

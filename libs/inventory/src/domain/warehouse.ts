export interface WarehouseDetails {
  readonly name: string;
  readonly addressId: number | null;
}

/** A place where stock is kept. */
export interface Warehouse extends WarehouseDetails {
  readonly id: number;
  readonly createdAt: Date;
}

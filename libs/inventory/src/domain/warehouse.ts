export interface WarehouseDetails {
  readonly name: string;
  readonly addressId: number | null;
}

export interface Warehouse extends WarehouseDetails {
  readonly id: number;
  readonly createdAt: Date;
}

import { Foundation1795219200000 } from './1795219200000-foundation';
import { DocumentLifeCycle1795262400000 } from './1795262400000-document-life-cycle';
import { Retainers1795449600000 } from './1795449600000-retainers';
import { DocumentSearch1795471200000 } from './1795471200000-document-search';
import { DocumentTerms1795478400000 } from './1795478400000-document-terms';
import { SupplierInvoiceCounts1795503600000 } from './1795503600000-supplier-invoice-counts';
import { AllocationNumberNames1795518000000 } from './1795518000000-allocation-number-names';
import { DocumentParties1795790100000 } from './1795790100000-document-parties';

export const DOCUMENTS_MIGRATIONS = [
  Foundation1795219200000,
  DocumentLifeCycle1795262400000,
  Retainers1795449600000,
  DocumentSearch1795471200000,
  DocumentTerms1795478400000,
  SupplierInvoiceCounts1795503600000,
  AllocationNumberNames1795518000000,
  DocumentParties1795790100000,
];

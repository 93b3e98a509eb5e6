import { ClosingTimes1795790853000 } from './1795790853000-closing-times';
import { OpenCredits1795790857000 } from './1795790857000-open-credits';
import { PaymentNotes1795790863000 } from './1795790863000-payment-notes';
import { TurnsOfApprovals1795790856000 } from './1795790856000-turns-of-approvals';
import { Foundation1795219200000 } from './1795219200000-foundation';
import { DocumentLifeCycle1795262400000 } from './1795262400000-document-life-cycle';
import { Retainers1795449600000 } from './1795449600000-retainers';
import { DocumentSearch1795471200000 } from './1795471200000-document-search';
import { DocumentTerms1795478400000 } from './1795478400000-document-terms';
import { SupplierInvoiceCounts1795503600000 } from './1795503600000-supplier-invoice-counts';
import { AllocationNumberNames1795518000000 } from './1795518000000-allocation-number-names';
import { DocumentParties1795790100000 } from './1795790100000-document-parties';
import { LogosOfDocuments1795790810000 } from './1795790810000-logos-of-documents';
import { RetainerPeriods1795790821000 } from './1795790821000-retainer-periods';
import { SendingRetainers1795790822000 } from './1795790822000-sending-retainers';
import { DocumentsDue1795790833000 } from './1795790833000-documents-due';
import { DocumentAttention1795790850000 } from './1795790850000-document-attention';
import { FoundDocuments1795790880000 } from './1795790880000-found-documents';

export const DOCUMENTS_MIGRATIONS = [
  Foundation1795219200000,
  DocumentLifeCycle1795262400000,
  Retainers1795449600000,
  DocumentSearch1795471200000,
  DocumentTerms1795478400000,
  SupplierInvoiceCounts1795503600000,
  AllocationNumberNames1795518000000,
  DocumentParties1795790100000,
  LogosOfDocuments1795790810000,
  RetainerPeriods1795790821000,
  SendingRetainers1795790822000,
  DocumentsDue1795790833000,
  DocumentAttention1795790850000,
  ClosingTimes1795790853000,
  TurnsOfApprovals1795790856000,
  OpenCredits1795790857000,
  PaymentNotes1795790863000,
  FoundDocuments1795790880000,
];

import { Files1795435200000 } from './1795435200000-files';
import { Storage1795460400000 } from './1795460400000-storage';
import { FileReferences1795462200000 } from './1795462200000-file-references';
import { CompaniesOfUploads1795790892000 } from './1795790892000-companies-of-uploads';

export const FILES_MIGRATIONS = [
  Files1795435200000,
  Storage1795460400000,
  FileReferences1795462200000,
  CompaniesOfUploads1795790892000,
];

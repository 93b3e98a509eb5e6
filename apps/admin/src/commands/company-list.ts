import { DocumentCounts, DOCUMENTS_COUNTED_MAX } from '@counterfoil/documents';
import { CompanyOperations, type CompanyOverview, KEYS_COUNTED_MAX, statusOf } from '@counterfoil/identity';
import { type Command, withApp } from '../command';
import { headerOf, lineOf, type ListedCompany } from '../company-lines';

const usage = 'company:list [--json]';
const COMPANIES_AT_ONCE = 100;

/** Lists all companies by their ids, page by page, so that memory and statements stay small. */
export const companyList: Command = {
  name: 'company:list',
  usage,
  run: async (config, { json }, print) => {
    const show = json === true ? print : (company: ListedCompany) => writeLine(lineOf(company));
    if (json !== true) writeLine(headerOf());
    await withApp(config, async (app) => {
      const operations = app.get(CompanyOperations);
      let after = 0;
      for (;;) {
        const companies = await operations.list({ after, limit: COMPANIES_AT_ONCE });
        const documents = await app.get(DocumentCounts).of(companies.map(({ id }) => id));
        for (const company of companies) show(listed(company, documents.get(company.id) ?? 0));
        if (companies.length < COMPANIES_AT_ONCE) return;
        after = companies.at(-1)?.id ?? after;
      }
    });
    return undefined;
  },
};

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

function listed(company: CompanyOverview, documents: number): ListedCompany {
  const { id, name, taxId, createdAt, suspendedAt, erasedAt, recordsKeptUntil, keys, lastUsedAt } = company;
  return {
    ...{ id, name, taxId, state: statusOf(company), createdAt, suspendedAt, erasedAt, recordsKeptUntil },
    ...{ keys, moreKeys: keys === KEYS_COUNTED_MAX, lastUsedAt },
    ...{ documents, moreDocuments: documents === DOCUMENTS_COUNTED_MAX },
  };
}

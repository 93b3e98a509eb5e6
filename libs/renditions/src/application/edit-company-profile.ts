import { FileDirectory } from '@counterfoil/files';
import { type CompanySettings, EditCompany } from '@counterfoil/identity';
import { type Caller, unknownReference, validationFailed } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { checkLogo, LOGO_BYTES_MAX } from './check-logo';
import { ReadLogo } from './read-logo';

const FIELD = 'logoFileId';

/** Changes the settings of a company, among them the logo that its documents show (contract §4.7). */
@Injectable()
export class EditCompanyProfile {
  constructor(
    private readonly editCompany: EditCompany,
    private readonly files: FileDirectory,
    private readonly logos: ReadLogo,
  ) {}

  /**
   * @throws AppError `UNKNOWN_REFERENCE` for a file that the company does not have, `VALIDATION_FAILED` for one that no
   *   document can show, and what `EditCompany` throws
   */
  async execute(caller: Caller, changes: Partial<CompanySettings>): Promise<void> {
    const { logoFileId = null } = changes;
    if (logoFileId === null) return this.editCompany.execute(caller, changes);
    await this.assertLogo(caller.companyId, logoFileId);
    await this.editCompany.execute(caller, changes, async (tx) => {
      if (!(await this.files.hold(tx, caller.companyId, logoFileId))) throw unknownReference(FIELD, 'file');
    });
  }

  private async assertLogo(companyId: number, fileId: number): Promise<void> {
    const file = await this.files.find(companyId, fileId);
    if (!file) throw unknownReference(FIELD, 'file');
    const problem = file.size > LOGO_BYTES_MAX ? tooLarge() : await this.problemOf(companyId, fileId);
    if (problem !== null) throw validationFailed([{ field: FIELD, problem }]);
  }

  private async problemOf(companyId: number, fileId: number): Promise<string | null> {
    const bytes = await this.logos.bytes(companyId, fileId);
    if (!bytes) throw unknownReference(FIELD, 'file');
    const checked = await checkLogo(bytes);
    return 'problem' in checked ? checked.problem : null;
  }
}

const tooLarge = (): string => `must have at most ${LOGO_BYTES_MAX / 1_024} KiB`;

// Lints source texts as if they were at the given paths, and prints the messages for each. It is a separate
// process, because the configuration is an ES module, which Jest cannot import.
//
// Input on stdin: [{ "path": "libs/…", "code": "…", "typed": false }]. Output: [[{ "rule": "…", "message":
// "…" }]].

import { createProjectGraphAsync, workspaceRoot } from '@nx/devkit';
import { ESLint } from 'eslint';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import tseslint from 'typescript-eslint';

// Without the project graph, which a fresh clone lacks, the rule of module boundaries accepts everything.
process.env.NX_DAEMON = 'false';
process.env.NX_ISOLATE_PLUGINS = 'false';
// One path is linted many times here. The single-run mode, which typescript-eslint chooses in CI, does not
// support that.
process.env.TSESTREE_SINGLE_RUN = 'false';
await createProjectGraphAsync();

const asItStands = new ESLint({ cwd: workspaceRoot });
// Rules that need types require existing files. The architecture rules need no types.
const withoutTypes = new ESLint({
  cwd: workspaceRoot,
  overrideConfig: [tseslint.configs.disableTypeChecked],
});

const answers = [];
for (const { path: filePath, code, typed } of JSON.parse(await text(process.stdin))) {
  const eslint = typed ? asItStands : withoutTypes;
  const results = await eslint.lintText(code, { filePath: path.join(workspaceRoot, filePath) });
  answers.push(
    results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => ({ rule: ruleId, message }))),
  );
}
process.stdout.write(JSON.stringify(answers), () => process.exit());

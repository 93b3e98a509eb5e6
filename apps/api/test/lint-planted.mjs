// Lints source texts as if they stood at the paths given, and prints what ESLint says to each. A process of its own,
// because Jest cannot import the configuration, which is an ES module.
//
// In, on stdin:  [{ "path": "libs/…", "code": "…", "typed": false }]      Out: [[{ "rule": "…", "message": "…" }]]

import { createProjectGraphAsync, workspaceRoot } from '@nx/devkit';
import { ESLint } from 'eslint';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import tseslint from 'typescript-eslint';

// Without the project graph, which a fresh clone lacks, the rule of the boundaries lets everything pass.
process.env.NX_DAEMON = 'false';
process.env.NX_ISOLATE_PLUGINS = 'false';
// One path is linted many times here, which the mode that typescript-eslint chooses where CI is set is not made for.
process.env.TSESTREE_SINGLE_RUN = 'false';
await createProjectGraphAsync();

const asItStands = new ESLint({ cwd: workspaceRoot });
// Rules that ask for types know only files that exist; the walls need no types.
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

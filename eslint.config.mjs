import { builtinRules } from 'eslint/use-at-your-own-risk';
import tseslint from 'typescript-eslint';
import { FOR_TESTS, SPECS, TYPESCRIPT, walls } from './eslint.walls.mjs';

const SCRIPTS = ['**/*.js', '**/*.cjs', '**/*.mjs'];

// ---- Size, shape and names ------------------------------------------------------------------------------------

/** Written by `npm run types:verifier` and `npm run types:sdk`; they grow with the events and the routes. */
const GENERATED = ['libs/webhook-verifier/src/event-types.ts', 'libs/sdk/src/api-types.ts'];
/** Files that re-export what a package offers: its index and, in the SDK, a second entry. */
const ENTRIES = ['libs/*/src/index.ts', 'libs/sdk/src/webhooks.ts'];

const PARAMETERS_MAX = 4;
/** Constructor parameters that NestJS injects are a list of collaborators, not a call that somebody must read. */
const INJECTED_MAX = 8;

/** The list of screens: each is a file that the browser loads when it is opened. */
const SCREENS = 'apps/console/src/screens.ts';

const DYNAMIC_IMPORT = {
  selector: 'ImportExpression',
  message: 'Import at the top of the file, where the walls can see it.',
};
/**
 * Large and rarely needed packages, each with the one file that may load it on demand. Walls apply to these files all
 * the same.
 */
const LATE_IMPORTS = {
  '@myriaddreamin/typst-ts-node-compiler': 'libs/renditions/src/adapters/typst/typst-pdf-renderer.ts',
  piscina: 'libs/renditions/src/adapters/typst/threaded-pdf-renderer.ts',
  '@aws-sdk/client-s3': 'libs/files/src/adapters/s3/s3-file-store.ts',
  'file-type': 'libs/files/src/application/binary-type.ts',
  'pdfjs-dist/legacy/build/pdf.mjs': 'libs/receipt-reader/src/pdf/load-pdfjs.ts',
  './recognise.js': 'libs/receipt-reader/src/read-document.ts',
  '../../parts/line-chart.tsx': 'apps/console/src/screens/rates/over-time.tsx',
};
const BARREL = {
  selector: ':matches(ExportAllDeclaration, ExportNamedDeclaration[source!=null])',
  message: 'No barrels but src/index.ts.',
};
const SHAPE = [
  {
    selector: `:not(MethodDefinition[kind="constructor"]) > :matches(:function, TSEmptyBodyFunctionExpression)[params.length>${PARAMETERS_MAX}]`,
    message: `At most ${PARAMETERS_MAX} parameters: group what belongs together in an object.`,
  },
  {
    selector: `MethodDefinition[kind="constructor"] > FunctionExpression[params.length>${INJECTED_MAX}]`,
    message: `At most ${INJECTED_MAX} collaborators: this class does too much.`,
  },
  {
    selector: 'ClassDeclaration[id.name=/(UseCase|Service|Impl)$/]',
    message: 'Name the class after what it does or holds.',
  },
  {
    selector: 'TSInterfaceDeclaration[id.name=/^I[A-Z][a-z]/]',
    message: 'An interface is named as its role is: no I.',
  },
  { selector: 'CallExpression[callee.name="forwardRef"]', message: 'A cycle is cut, not deferred.' },
  {
    selector: 'NewExpression[callee.name="AppError"][arguments.0.value="UNAVAILABLE"]',
    message: 'Throw an UnavailableError: it names the reason, which operators see counted.',
  },
  {
    selector: 'MemberExpression[object.name="URL"][property.name="canParse"]',
    message: 'Use parseUrl: in Node 20, canParse refuses valid URLs as soon as V8 has optimized its caller.',
  },
];

const FILE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.([cm]?js|tsx?)$/;
const DRAWERS = ['util', 'utils', 'helper', 'helpers', 'common', 'shared', 'misc'];

/** Kebab-case, and no drawers: a file named after nothing collects everything. */
const fileName = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    Program(node) {
      const [name] = context.filename.split(/[\\/]/).slice(-1);
      if (!FILE_NAME.test(name))
        context.report({ node, message: `Name the file in kebab-case, not ${name}.` });
      if (name.split(/[.-]/).some((word) => DRAWERS.includes(word)))
        context.report({ node, message: `Name the file after what it holds, not ${name}.` });
    },
  }),
};

const OPENINGS = /^(?:What|Who|Whoever|Whatever|One that|One who)\b/;

/** A comment that opens with a relative clause hides its subject: "The time that …", not "What a claim may take". */
const openings = {
  meta: { type: 'suggestion', schema: [] },
  create: (context) => ({
    Program() {
      const comments = context.sourceCode.getAllComments();
      for (const [at, comment] of comments.entries()) {
        const text = comment.value.replace(/^[*\s]+/, '');
        const before = comments[at - 1];
        // Line by line, a sentence may break before such a word.
        const continues =
          comment.type === 'Line' &&
          before?.type === 'Line' &&
          before.loc.end.line === comment.loc.start.line - 1;
        if (OPENINGS.test(text) && !continues)
          context.report({
            loc: comment.loc,
            message: 'Open the comment with its subject, not with What or Who.',
          });
      }
    },
  }),
};

const shape = [
  {
    files: [...TYPESCRIPT, ...SCRIPTS],
    plugins: { names: { rules: { file: fileName } }, prose: { rules: { openings } } },
    rules: {
      'names/file': 'error',
      'prose/openings': 'error',
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: [...TYPESCRIPT, ...SCRIPTS],
    ignores: [...SPECS, ...GENERATED],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 70 }],
    },
  },
  { files: SPECS, rules: { 'max-lines': ['error', { max: 600 }] } },
  {
    files: TYPESCRIPT,
    rules: {
      complexity: ['error', { max: 12 }],
      'max-depth': ['error', { max: 3 }],
      'no-restricted-exports': [
        'error',
        { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } },
      ],
      'no-restricted-syntax': ['error', ...SHAPE, DYNAMIC_IMPORT, BARREL],
    },
  },
  ...Object.entries(LATE_IMPORTS).map(([name, file]) => {
    const otherwise = { ...DYNAMIC_IMPORT, selector: `ImportExpression:not([source.value="${name}"])` };
    return { files: [file], rules: { 'no-restricted-syntax': ['error', ...SHAPE, otherwise, BARREL] } };
  }),
  { files: [SCREENS], rules: { 'no-restricted-syntax': ['error', ...SHAPE, BARREL] } },
  { files: ENTRIES, rules: { 'no-restricted-syntax': ['error', ...SHAPE, DYNAMIC_IMPORT] } },
  { files: SPECS, rules: { 'no-restricted-syntax': ['error', ...SHAPE] } },
];

// ---- SQL ------------------------------------------------------------------------------------------------------

const SQL_MESSAGE = 'SQL stands in a file *.sql.ts, as a statement that is compared with the database.';
const SQL_TEXT = '/^\\s*(select|insert into|update \\S+ set|delete from|with \\w+ as)\\b/';

/** SQL stands where `npm run sql` finds it; that of lists is put together by @counterfoil/lists, and explained by specs. */
const sqlInItsFiles = {
  files: TYPESCRIPT,
  ignores: [
    ...FOR_TESTS,
    '**/*.sql.ts',
    '**/*.list.ts',
    '**/migrations/**',
    'libs/lists/**',
    // Asks the server about itself, before any migration has run and on connections of its own.
    'libs/database/**',
    // The schema of BullMQ is not migrated by this service.
    'libs/queue/**',
  ],
  plugins: { sql: { rules: { file: builtinRules.get('no-restricted-syntax') } } },
  rules: {
    'sql/file': [
      'error',
      { selector: `Literal[value=${SQL_TEXT}]`, message: SQL_MESSAGE },
      { selector: `TemplateElement[value.raw=${SQL_TEXT}]`, message: SQL_MESSAGE },
    ],
  },
};

// ---- The language ---------------------------------------------------------------------------------------------

const language = [
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: TYPESCRIPT })),
  {
    files: TYPESCRIPT,
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        // NestJS reads the types of decorated signatures at run time, so what they name must stay a value import.
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A promise returned from inside a `try` is rejected outside it.
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // A port promises; whether this adapter has anything to wait for is its own affair.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    // Empty where it is declared: the libs that add jobs fill it.
    files: ['libs/queue/src/jobs.ts'],
    rules: { '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'always' }] },
  },
  {
    // Bodies of answers are `any` by nature, and what a spec reads wrongly it fails on.
    files: FOR_TESTS,
    rules: Object.fromEntries(
      ['argument', 'assignment', 'call', 'member-access', 'return'].map((use) => [
        `@typescript-eslint/no-unsafe-${use}`,
        'off',
      ]),
    ),
  },
];

const readonly = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));
const NODE_GLOBALS = readonly(
  ...[
    'AbortController',
    'AbortSignal',
    'Buffer',
    'URL',
    'URLSearchParams',
    'console',
    'fetch',
    'performance',
    'process',
  ],
  ...[
    'clearImmediate',
    'clearInterval',
    'clearTimeout',
    'setImmediate',
    'setInterval',
    'setTimeout',
    'structuredClone',
  ],
);

const scripts = [
  {
    files: SCRIPTS,
    languageOptions: { globals: NODE_GLOBALS },
    rules: Object.fromEntries(
      [...builtinRules].filter(([, rule]) => rule.meta.docs.recommended).map(([name]) => [name, 'error']),
    ),
  },
  { files: ['**/*.mjs'], languageOptions: { sourceType: 'module' } },
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: readonly('__dirname', '__filename') },
  },
];

export default [
  { ignores: ['node_modules/**', 'dist/**', '.data/**', '.nx/**', 'coverage/**', 'tmp/**'] },
  // No comment switches a rule off; one that tries is reported.
  { linterOptions: { noInlineConfig: true } },
  ...language,
  ...walls,
  sqlInItsFiles,
  ...shape,
  ...scripts,
];

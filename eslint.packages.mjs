/**
 * The walls of the published packages.
 *
 * @param {string[]} forTests files that the walls do not concern
 */
export const packageWalls = (forTests) => ({
  package: {
    files: ['libs/webhook-verifier/src/**/*.ts'],
    except: forTests,
    imports: [
      {
        regex: '^(?!\\./|node:crypto$)',
        message: 'Who installs the package gets nothing else with it: it imports node:crypto and itself.',
      },
    ],
  },
  client: {
    files: ['apps/cli/src/**/*.ts'],
    except: forTests,
    imports: [
      {
        regex: '^(?!\\.{1,2}/|node:|commander$|csv-parse/sync$|@counterfoil/(sdk|webhook-verifier)$)',
        message: 'The command line is installed by callers, with few packages: each is listed here.',
      },
    ],
  },
  console: {
    files: ['apps/console/src/**/*.ts', 'apps/console/src/**/*.tsx'],
    except: forTests,
    imports: [
      {
        regex:
          '^(?!\\.{1,2}/|@counterfoil/sdk$|react$|react-dom/client$|react-aria-components$|@tanstack/react-(query|router)$|d3-(scale|shape)$)',
        message:
          'The console runs in browsers and calls the service by the SDK; each of its packages is listed here.',
      },
    ],
  },
  sdk: {
    files: ['libs/sdk/src/**/*.ts'],
    except: [...forTests, 'libs/sdk/src/webhooks.ts'],
    imports: [
      {
        regex: '^(?!\\./)',
        message: 'The SDK runs in browsers, without a bundler too: it imports itself alone.',
      },
    ],
  },
  'sdk-webhooks': {
    files: ['libs/sdk/src/webhooks.ts'],
    imports: [
      {
        regex: '^(?!@counterfoil/webhook-verifier$)',
        message: 'This entry adds the verifier to the SDK, and nothing else.',
      },
    ],
  },
});

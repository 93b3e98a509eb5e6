// core-js comes without types; these modules only add to the global objects.
declare module 'core-js/actual/promise/with-resolvers';
declare module 'core-js/actual/array-buffer/transfer-to-fixed-length';

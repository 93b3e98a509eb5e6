// core-js has no types. These modules only extend global objects.
declare module 'core-js/actual/promise/with-resolvers';
declare module 'core-js/actual/array-buffer/transfer-to-fixed-length';

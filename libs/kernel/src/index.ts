export * from './app-error';
export * from './caller';
export * from './clock';
export * from './decimal';
export * from './payment-term';
export * from './plain-date';
export * from './transaction';

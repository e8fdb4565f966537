/** The limits and lifetimes of the server. They are constants: files of other folders import them from here. */
export * from './limits/accounts.ts'
export * from './limits/attempts.ts'
export * from './limits/dashboard.ts'
export * from './limits/lifetimes.ts'
export * from './limits/operation.ts'
export * from './limits/records.ts'
export * from './limits/requests.ts'

/**
 * The root path of the API. NOTE: it has its own file because the routes import every use case, a fifth of all modules, which a
 * start does not need.
 */
export const apiRoot = '/api/admin'

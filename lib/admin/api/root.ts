/**
 * The root path of the API. NOTE: it has its own file because the routes import every use case, a fifth of all modules, which the
 * server does not need when it starts.
 */
export const apiRoot = '/api/admin'

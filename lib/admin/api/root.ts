/** The root path of the API. NOTE: separate from its routes, whose use cases are a fifth of all modules: a start needs none of them. */
export const apiRoot = '/api/admin'
